/* Launches multiply.spv, which make_kernel.py writes, with OpenCL's C API: C[g] = 2 A B[g] for a batch of matrices.
 *
 *     python make_kernel.py
 *     cc main.c -o multiply -lOpenCL && ./multiply multiply.spv
 *
 * The arguments are those that multiply.json lists, in that order. */

#define CL_TARGET_OPENCL_VERSION 210
#include <stdio.h>
#include <stdlib.h>
#if __has_include(<CL/cl.h>)
#include <CL/cl.h>
#else
#include "opencl_declared.h"
#endif

enum { M = 16, K = 8, N = 4, GROUPS = 5 };

static void check(cl_int code, const char *what) {
    if (code != CL_SUCCESS) {
        fprintf(stderr, "%s gives %d\n", what, (int)code);
        exit(1);
    }
}

static unsigned char *read_file(const char *name, size_t *size) {
    FILE *file = fopen(name, "rb");
    if (!file || fseek(file, 0, SEEK_END)) {
        fprintf(stderr, "%s cannot be read\n", name);
        exit(1);
    }
    long length = ftell(file);
    rewind(file);
    unsigned char *data = malloc(length > 0 ? (size_t)length : 1);
    if (length < 0 || !data || fread(data, 1, (size_t)length, file) != (size_t)length) {
        fprintf(stderr, "%s cannot be read\n", name);
        exit(1);
    }
    fclose(file);
    *size = (size_t)length;
    return data;
}

int main(int count, char **arguments) {
    if (count != 2) {
        fprintf(stderr, "usage: %s multiply.spv\n", arguments[0]);
        return 2;
    }
    size_t size;
    unsigned char *code = read_file(arguments[1], &size);

    cl_platform_id platform;
    cl_device_id device;
    cl_int error;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
    check(error, "clCreateCommandQueueWithProperties");
    cl_program program = clCreateProgramWithIL(context, code, size, &error);
    check(error, "clCreateProgramWithIL");
    check(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, "multiply", &error); /* "entry" */
    check(error, "clCreateKernel");

    /* Column-major, as the strides in multiply.json say: element (i, j) of B[g] is b[i + j * K + g * K * N]. */
    static float a[M * K], b[K * N * GROUPS], c[M * N * GROUPS];
    for (int i = 0; i < M * K; ++i)
        a[i] = (float)(i % 7 - 3);
    for (int i = 0; i < K * N * GROUPS; ++i)
        b[i] = (float)(i % 5 - 2);
    cl_mem of_a = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof a, a, &error);
    check(error, "clCreateBuffer");
    cl_mem of_b = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof b, b, &error);
    check(error, "clCreateBuffer");
    cl_mem of_c = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof c, c, &error);
    check(error, "clCreateBuffer");

    cl_float alpha = 2.0f;
    cl_long groups = GROUPS, share = 1;
    check(clSetKernelArg(kernel, 0, sizeof alpha, &alpha), "alpha");            /* value of alpha */
    check(clSetKernelArg(kernel, 1, sizeof of_a, &of_a), "A");                  /* data of A */
    check(clSetKernelArg(kernel, 2, sizeof of_b, &of_b), "B");                  /* data of B */
    check(clSetKernelArg(kernel, 3, sizeof groups, &groups), "size of B");      /* size of mode 2 of B */
    check(clSetKernelArg(kernel, 4, sizeof of_c, &of_c), "C");                  /* data of C */
    check(clSetKernelArg(kernel, 5, sizeof groups, &groups), "size of C");      /* size of mode 2 of C */
    check(clSetKernelArg(kernel, 6, sizeof groups, &groups), "group_count");    /* group_count */
    check(clSetKernelArg(kernel, 7, sizeof share, &share), "share");            /* share */
    size_t local = 1, global = GROUPS * local; /* "work_items" is 1 */
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(queue, of_c, CL_TRUE, 0, sizeof c, c, 0, NULL, NULL), "clEnqueueReadBuffer");

    for (int g = 0; g < GROUPS; ++g)
        for (int j = 0; j < N; ++j)
            for (int i = 0; i < M; ++i) {
                float sum = 0;
                for (int k = 0; k < K; ++k)
                    sum += a[i + k * M] * b[k + j * K + g * K * N];
                if (c[i + j * M + g * M * N] != 2 * sum) {
                    printf("C(%d, %d, %d) is %g, and should be %g\n", i, j, g, c[i + j * M + g * M * N], 2 * sum);
                    return 1;
                }
            }
    printf("%d products of %dx%d and %dx%d are right\n", GROUPS, M, K, K, N);
    clReleaseMemObject(of_a);
    clReleaseMemObject(of_b);
    clReleaseMemObject(of_c);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    free(code);
    return 0;
}
