"""Collective instructions as code for Arm's Scalable Matrix Extension."""
