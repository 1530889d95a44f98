#!/bin/bash
# Starts etcd as Drover says, at the first boot of a member and at every later one. A member without data is never started unless
# Drover says how: by itself, or in an incomplete set, it would form another cluster.
set -uo pipefail
# -- settings --

readonly imds=http://169.254.169.254/latest
readonly pki=$state_directory/pki
readonly why=$state_directory/why

say() { echo "drover: $*" >&2; }

# $1 of the instance metadata, version 2.
metadata() {
  local token
  token=$(curl --silent --show-error --fail --max-time 5 --request PUT \
    --header 'X-aws-ec2-metadata-token-ttl-seconds: 60' "$imds/api/token" 2>"$why") &&
    curl --silent --show-error --fail --max-time 5 \
      --header "X-aws-ec2-metadata-token: $token" "$imds/meta-data/$1" 2>"$why"
}

find_identity() {
  instance_id=$(metadata instance-id) && region=$(metadata placement/region) &&
    [[ $instance_id =~ ^i-[0-9a-f]{8,17}$ && -n $region ]]
}

# Images without the AWS CLI have curl (7.75 or later) and jq.
parameter() {
  [[ $1 != s3://* ]] || {
    object "$1"
    return
  }
  command -v aws >/dev/null || {
    signed_parameter "$1"
    return
  }
  aws ssm get-parameter --region "$region" --name "$1" --with-decryption \
    --query Parameter.Value --output text 2>"$why"
}

# curl to service $1, signed with the role of the instance. Secrets go through standard input: every user of the machine can read
# command lines.
signed() {
  local service=$1 role keys
  shift
  role=$(metadata iam/security-credentials/) && keys=$(metadata "iam/security-credentials/$role") || return 1
  jq -r '"user = \"\(.AccessKeyId):\(.SecretAccessKey)\"\nheader = \"X-Amz-Security-Token: \(.Token)\""' <<<"$keys" |
    curl --silent --show-error --max-time 15 --config - --aws-sigv4 "aws:amz:$region:$service" "$@" 2>"$why"
}

# The object at the address $1. S3 wants the hash of the body, which is empty, and curl does not make it by itself before 8.
object() {
  local suffix empty=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
  command -v aws >/dev/null && {
    aws s3 cp --region "$region" --only-show-errors "$1" - 2>"$why"
    return
  }
  suffix=$(metadata services/domain) &&
    signed s3 --fail --header "x-amz-content-sha256: $empty" "${AWS_ENDPOINT_URL_S3:-https://s3.$region.$suffix}/${1#s3://}"
}

signed_parameter() {
  local suffix answer
  suffix=$(metadata services/domain) || return 1
  answer=$(signed ssm --header 'Content-Type: application/x-amz-json-1.1' --header 'X-Amz-Target: AmazonSSM.GetParameter' \
    --data '{"Name":"'"$1"'","WithDecryption":true}' "${AWS_ENDPOINT_URL_SSM:-https://ssm.$region.$suffix}/") || return 1
  jq -er .Parameter.Value <<<"$answer" 2>/dev/null && return
  jq -r '"\(.__type // "an unknown answer"): \(.message // .Message // "")"' <<<"$answer" >"$why" 2>&1
  return 1
}

# The text of field $1 of the flat JSON object $2.
field() { sed -n 's/.*"'"$1"'" *: *"\([^"]*\)".*/\1/p' <<<"$2"; }

# Whether $1 is what this member expects as its $3, $2; a state that was written for another one is none.
expect() {
  [[ $1 == "$2" ]] && return
  echo "what is published has the $3 '$1', and this member '$2'" >"$why"
  return 1
}

state_of_ssm() {
  local json
  json=$(parameter "$member_parameters/$instance_id") || return
  [[ $json =~ \"version\"\ *:\ *1[,\}] ]] || expect "$json" '{"version":1,...}' content || return
  expect "$(field name "$json")" "$instance_id" name || return
  expect "$(field discoverySrv "$json")" "$domain" domain || return
  expect "$(field discoverySrvName "$json")" "$service_name" 'service name' || return
  expect "$(field peerUrl "$json")" "$scheme://$instance_id.$domain:2380" 'peer URL' || return
  cluster_state=$(field state "$json")
  cluster_token=$(field initialClusterToken "$json")
}

text_record() {
  if command -v dig >/dev/null; then
    dig +short +time=3 +tries=1 TXT "$1" 2>"$why"
  else
    resolvectl query --legend=no --type=TXT "$1" 2>"$why"
  fi
}

state_of_dns() {
  local mark
  mark=$(text_record "$instance_id.$domain") || return
  [[ $mark =~ \"(v=drover1\;[^\"]*)\" ]] || return
  mark=";${BASH_REMATCH[1]};"
  [[ $mark == *";cluster=$cluster;"* ]] || expect "$mark" "$cluster" cluster || return
  [[ $mark == *";name=$instance_id;"* ]] || expect "$mark" "$instance_id" name || return
  [[ ! $mark =~ \;token=([A-Za-z0-9_.-]+)\; ]] || cluster_token=${BASH_REMATCH[1]}
  [[ $mark =~ \;state=([a-z]+)\; ]] && cluster_state=${BASH_REMATCH[1]}
}

find_state() {
  cluster_state=
  cluster_token=
  : >"$why"
  "state_of_$state_source" || return
  [[ $cluster_state == new || $cluster_state == existing ]] || expect "$cluster_state" 'new or existing' state
}

# The files as they are published now, so that a renewal is taken up; those of the last time if nothing answers.
fetch_certificates() {
  local file
  for file in ca.crt server.crt server.key peer.crt peer.key; do
    parameter "$pki_source/etcd/$file" >"$pki/$file.part" &&
      grep -q -e '-----BEGIN' "$pki/$file.part" && mv "$pki/$file.part" "$pki/$file" && continue
    rm -f "$pki/$file.part"
    [[ -s $pki/$file ]] || return 1
    say "$pki_source/etcd/$file cannot be read, the last one is used: $(tail -n 1 "$why")"
  done
}

# Asks again, $2, until there is $1; says once a minute what it waits for, and why.
wait_for() {
  local tries=0
  until "$2"; do
    ((tries++ % 12)) || say "waiting for $1; $(tail -n 1 "$why" 2>/dev/null)"
    sleep 5
  done
}

# What etcd itself looks for: with a log it knows its cluster, and every flag of a first start is nothing to it.
has_data() { compgen -G "$data_directory/member/wal/*.wal" >/dev/null; }

tls_flags() {
  local skip=--peer-skip-client-san-verification
  # The name before 3.6.
  [[ $("$etcd" --version 2>/dev/null) =~ 'etcd Version: 3.'[0-5]\. ]] &&
    skip=--experimental-peer-skip-client-san-verification
  flags+=(
    --cert-file="$certificates/server.crt" --key-file="$certificates/server.key"
    --trusted-ca-file="$certificates/ca.crt" --client-cert-auth
    --peer-cert-file="$certificates/peer.crt" --peer-key-file="$certificates/peer.key"
    --peer-trusted-ca-file="$certificates/ca.crt" --peer-client-cert-auth
    --peer-cert-allowed-cn="$peer_common_name" "$skip"
  )
}

first_flags() {
  wait_for "the state of $instance_id, which Drover publishes" find_state
  say "starts as a member of the cluster whose state is $cluster_state"
  flags+=(--initial-cluster-state="$cluster_state" --discovery-srv="$domain")
  # Each birth has its own, so that members of an earlier cluster with the same names stay out.
  [[ -z $cluster_token ]] || flags+=(--initial-cluster-token="$cluster_token")
  [[ -z $service_name ]] || flags+=(--discovery-srv-name="$service_name")
}

umask 077
mkdir -p "$pki"
wait_for 'the instance metadata' find_identity
readonly instance_id region
readonly host=$instance_id.$domain
certificates=$pki
[[ -n $pki_source ]] || certificates=$certificate_directory
flags=(
  --name="$instance_id" --data-dir="$data_directory"
  --listen-peer-urls="$scheme://$listen_address:2380" --listen-client-urls="$scheme://$listen_address:2379"
  --initial-advertise-peer-urls="$scheme://$host:2380" --advertise-client-urls="$scheme://$host:2379"
)
if [[ $scheme == https ]]; then
  [[ -z $pki_source ]] || wait_for 'the certificates' fetch_certificates
  tls_flags
fi
if has_data; then
  say "starts with the data of $data_directory"
  flags+=(--initial-cluster="$instance_id=$scheme://$host:2380")
else
  first_flags
fi
exec "$etcd" "${flags[@]}"
