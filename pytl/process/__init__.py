"""What every room needs of the process: settings, forks, Ctrl-C, and what is imported on demand."""
