/* The identity of a device: one type of both APIs, hence its own guard. */
#ifndef CU_UUID_HAS_BEEN_DEFINED
#define CU_UUID_HAS_BEEN_DEFINED

struct CUuuid_st {
    char bytes[16];
};
typedef struct CUuuid_st CUuuid;

#endif
