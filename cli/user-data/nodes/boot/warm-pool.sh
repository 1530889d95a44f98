
leave_warm_pool
