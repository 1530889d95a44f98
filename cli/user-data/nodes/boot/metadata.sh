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

# curl to service $1 of $region, signed with the role of the instance. Images without the AWS CLI have curl (7.75 or later) and jq.
signed() {
  local service=$1 role keys
  shift
  open_metadata && role=$(metadata iam/security-credentials/) && keys=$(metadata "iam/security-credentials/$role") || return 1
  # Secrets go through standard input: every user of the machine can read command lines.
  jq -r '"user = \"\(.AccessKeyId):\(.SecretAccessKey)\"\nheader = \"X-Amz-Security-Token: \(.Token)\""' <<<"$keys" |
    curl --silent --show-error --max-time 15 --config - --aws-sigv4 "aws:amz:$region:$service" "$@" 2>"$why"
}

# Auto Scaling's answer to the operation $1, with the parameters NAME=VALUE that follow.
auto_scaling() {
  local action=$1 data=() parameter answer
  shift
  for parameter; do data+=(--data-urlencode "$parameter"); done
  answer=$(signed autoscaling --data "Action=$action&Version=2011-01-01" "${data[@]}" \
    "${AWS_ENDPOINT_URL_AUTO_SCALING:-${AWS_ENDPOINT_URL:-https://autoscaling.$region.$domain}}/") || return 1
  [[ $answer != *'<Error>'* ]] || {
    grep -o '<Message>[^<]*' <<<"$answer" | cut -d '>' -f 2 >"$why"
    return 1
  }
  printf '%s' "$answer"
}

find_group() {
  if command -v aws >/dev/null; then
    group=$(timeout 40 aws autoscaling describe-auto-scaling-instances --region "$region" --instance-ids "$1" \
      --query 'AutoScalingInstances[0].AutoScalingGroupName' --output text 2>"$why")
  else
    group=$(auto_scaling DescribeAutoScalingInstances "InstanceIds.member.1=$1" |
      sed -n 's:.*<AutoScalingGroupName>\([^<]*\)</AutoScalingGroupName>.*:\1:p')
  fi
  [[ -n $group && $group != None ]]
}

complete_hook() {
  if command -v aws >/dev/null; then
    timeout 40 aws autoscaling complete-lifecycle-action --region "$region" --lifecycle-action-result CONTINUE \
      --lifecycle-hook-name "$launch_hook" --auto-scaling-group-name "$group" --instance-id "$1" >/dev/null 2>"$why"
  else
    auto_scaling CompleteLifecycleAction LifecycleActionResult=CONTINUE "LifecycleHookName=$launch_hook" \
      "AutoScalingGroupName=$group" "InstanceId=$1" >/dev/null
  fi
}

# cloud-init runs user data once: what the stop for the pool cuts off never runs. On an image whose user data waits for the kubelet, it
# cannot end before the instance leaves the pool.
user_data_runs() {
  [[ -e /run/cloud-init/enabled && ! -e /run/cloud-init/result.json ]] && (($1 < 60))
}

# The launch into the pool waits until its user data has ended. Auto Scaling then stops the instance, or keeps it running in the pool.
complete_launch() {
  local id=${instance_id:-} group
  [[ ! -e $run_directory/launch-completed ]] || return 0
  # A script that has read the identity of the instance may not change it.
  { [[ -n $id ]] || { id=$(metadata instance-id) && region=$(metadata placement/region) && domain=$(metadata services/domain); }; } &&
    find_group "$id" && complete_hook "$id" && {
    say "its user data has ended: completed $launch_hook, so that the launch into the warm pool ends"
    : >"$run_directory/launch-completed"
    return
  }
  # Nothing waits on it: the group has no such hook, or its wait has ended.
  ! grep -qi 'no active lifecycle action' "$why" || {
    : >"$run_directory/launch-completed"
    return
  }
  say "cannot complete $launch_hook: $(tail -n 1 "$why" 2>/dev/null). May the role of this instance do it (autoscaling:CompleteLifecycleAction, autoscaling:DescribeAutoScalingInstances)?"
}

# A node of a warm pool would be given pods, and be stopped under them. A hook that cannot be completed is tried less and less often.
leave_warm_pool() {
  local tries=0 ended=0
  while wait_for 'the lifecycle state' find_lifecycle_state && [[ $lifecycle_state == Warmed:* ]]; do
    ((tries % 60)) || say "is in the warm pool ($lifecycle_state): the kubelet does not start"
    user_data_runs "$tries" || {
      ((ended & (ended - 1))) || complete_launch
      ((ended++))
    }
    ((tries++))
    sleep 5
  done
}
