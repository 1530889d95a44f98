
# Before each start of a service of the image.
if [[ ${1:-} == leave-pool ]]; then
  leave_warm_pool
  exit
fi
