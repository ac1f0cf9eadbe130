// What the modules that run and show runs read besides (cmake/modules.cmake).
#include "common.h"
#include "executor/executor.h"
