#!/bin/bash
# Made by drover user-data. It may run again at any time: what is there already is kept.
set -uo pipefail
# -- settings --

# The names that the AWS CLI reads.
imds=${AWS_EC2_METADATA_SERVICE_ENDPOINT:-http://169.254.169.254}
readonly imds=${imds%/}/latest
# In memory: a node whose disk is full starts its kubelet, which makes room, and can say what is wrong.
readonly run_directory=/run/drover-node
readonly why=$run_directory/why
mkdir -p "$run_directory" && chmod 0700 "$run_directory"
# "Something is wrong that a retry does not fix": the unit is not started again (sysexits.h, EX_CONFIG).
readonly for_good=78

say() { echo "drover: $*" >&2; }
fail() {
  say "$*"
  exit "$for_good"
}

# Never through a proxy: it would answer for its own machine.
ask_metadata() {
  curl --silent --show-error --noproxy '*' --max-time 5 "$@" 2>"$why"
}

# Version 2 of the metadata service wants a token.
open_metadata() {
  imds_token=$(ask_metadata --fail --request PUT --header 'X-aws-ec2-metadata-token-ttl-seconds: 60' "$imds/api/token")
}

# $1 of the instance metadata. Returns 44 if there is no such item.
metadata() {
  local answer
  answer=$(ask_metadata --write-out '\n%{http_code}' \
    --header "X-aws-ec2-metadata-token: $imds_token" "$imds/meta-data/$1") || return 1
  case ${answer##*$'\n'} in
    200) printf '%s' "${answer%$'\n'*}" ;;
    404)
      echo "the instance metadata has no $1" >"$why"
      return 44
      ;;
    *)
      echo "the metadata service answers ${answer##*$'\n'} for $1" >"$why"
      return 1
      ;;
  esac
}

# Asks again, $2, until there is $1. The metadata service is part of the machine: without it there is nothing to do but wait.
wait_for() {
  local tries=0
  until "$2"; do
    ((tries++ % 12)) || say "waiting for $1; $(tail -n 1 "$why" 2>/dev/null)"
    sleep 5
  done
}

# An instance that is in no Auto Scaling group has no such item.
find_lifecycle_state() {
  open_metadata || return 1
  lifecycle_state=$(metadata autoscaling/target-lifecycle-state)
  case $? in
    0) ;;
    44) lifecycle_state=none ;;
    *) return 1 ;;
  esac
  [[ $lifecycle_state =~ ^[A-Za-z:]+$ ]] || {
    echo 'the answer is no lifecycle state' >"$why"
    return 1
  }
}

# A node of a warm pool would be given pods, and be stopped under them.
leave_warm_pool() {
  local tries=0
  while wait_for 'the lifecycle state' find_lifecycle_state && [[ $lifecycle_state == Warmed:* ]]; do
    ((tries++ % 60)) || say "is in the warm pool ($lifecycle_state): the kubelet does not start"
    sleep 5
  done
}
