
# All in one call, a line each.
find_identity() {
  local items=instance-id,placement/region,placement/availability-zone,local-ipv4,local-hostname,services/domain
  open_metadata && ask_metadata --fail --write-out '\n' \
    --header "X-aws-ec2-metadata-token: $imds_token" "$imds/meta-data/{$items}" >"$run_directory/identity" || return 1
  is_identity
}

# An instance of an IPv6-only subnet has no local-ipv4. DHCP options may give an instance several names: the first one counts.
is_identity() {
  { read -r instance_id && read -r region && read -r zone && read -r address && read -r host_name _ && read -r domain; } \
    <"$run_directory/identity" || return 1
  has_form instance-id "$instance_id" '^i-[0-9a-f]{8,17}$' && has_form placement/region "$region" '^[a-z0-9-]+$' &&
    has_form placement/availability-zone "$zone" '^[a-z0-9-]+$' && has_form local-ipv4 "$address" '^[0-9a-f.:]*$' &&
    has_form services/domain "$domain" '^[a-z0-9.-]+$' &&
    { [[ $node_name_source != dns ]] || has_form local-hostname "$host_name" .; }
}

# Whether the value $2 of the item $1 matches $3.
has_form() {
  [[ ! $2 =~ $3 ]] || return 0
  echo "it has values that are not those of an instance: $1 is $(shown "$2")" >"$why"
  return 1
}

# A value as a shell would quote it: its control characters do not reach the console.
shown() { printf %q "${1:0:253}"; }

# Parameter $1, decrypted, or the object at the address $1. Images without the AWS CLI have curl (7.75 or later) and jq.
parameter() {
  if [[ $1 == s3://* ]]; then
    object "$1"
  elif command -v aws >/dev/null; then
    # Its own retries would add to these, without a pause that grows.
    AWS_MAX_ATTEMPTS=1 timeout 40 aws ssm get-parameter --region "$region" --name "$1" --with-decryption \
      --query Parameter.Value --output text --cli-connect-timeout 5 --cli-read-timeout 10 2>"$why"
  else
    signed_parameter "$1"
  fi
}

signed_parameter() {
  local answer
  answer=$(signed ssm --header 'Content-Type: application/x-amz-json-1.1' --header 'X-Amz-Target: AmazonSSM.GetParameter' \
    --data '{"Name":"'"$1"'","WithDecryption":true}' \
    "${AWS_ENDPOINT_URL_SSM:-${AWS_ENDPOINT_URL:-https://ssm.$region.$domain}}/") || return 1
  jq -e .Parameter.Value <<<"$answer" >/dev/null 2>&1 || {
    jq -r '"\(.__type // "an unknown answer"): \(.message // .Message // "")"' <<<"$answer" >"$why" 2>&1
    return 1
  }
  jq -r .Parameter.Value <<<"$answer" 2>"$why"
}

# Since the machine started: the time of day may be set while it boots.
uptime_seconds() {
  local up
  read -r up _ </proc/uptime && echo "${up%.*}"
}

# Parameter $1. An answer that does not come takes its time too.
timed_parameter() {
  local from result=0
  from=$(uptime_seconds)
  parameter "$1" || result=1
  waited=$((waited + $(uptime_seconds) - from))
  return "$result"
}

pause() {
  sleep "$1"
  waited=$((waited + $1))
}

# Parameter $1 in file $2.part, if it contains $4.
has_parameter() {
  timed_parameter "$1" >"$2.part" || return 1
  grep -q -e "$4" "$2.part" && return
  echo "its value lacks '$4'" >"$why"
  return 1
}

# Parameter $1 as file $2 with mode $3, if it contains $4. Parameter Store takes 40 requests a second of a whole account, so the first
# request comes at a random moment, and each one after it later than the one before.
fetch() {
  local most=2 waited=0
  [[ -z ${already_spread:-} ]] && pause $((RANDOM % (spread_seconds + 1)))
  already_spread=yes
  { mkdir -p "${2%/*}" && : >"$2.part"; } || fail "$2 cannot be written"
  until has_parameter "$@"; do
    ((waited < fetch_seconds)) ||
      fail "$1 could not be read for $fetch_seconds s: $(tail -n 1 "$why"). Does it exist, and may the role of this instance read it (ssm:GetParameter or s3:GetObject, kms:Decrypt)?"
    ((most > 2)) || say "$1 cannot be read yet: $(tail -n 1 "$why")"
    pause $((1 + RANDOM % most))
    ((most = most < 16 ? most * 2 : 30))
  done
  { chmod "$3" "$2.part" && mv "$2.part" "$2"; } || fail "$2 cannot be written"
}

# Whether the certificate in file $1 no longer serves. An image without openssl leaves the judgement to the kubelet.
has_expired() {
  command -v openssl >/dev/null && ! openssl x509 -noout -checkend 0 -in "$1" >/dev/null 2>&1
}

umask 077
wait_for 'the instance metadata' find_identity
readonly instance_id region zone address host_name domain

# As EC2 knows it: another name gets no certificate. Names of Nodes have lower case (RFC 1123), and DHCP options any case.
find_node_name() {
  local LC_ALL=C
  node_name=$instance_id
  [[ $node_name_source == dns ]] || return 0
  node_name=${host_name,,}
  [[ ${#node_name} -le 253 && $node_name =~ ^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$ ]] ||
    fail "no Node may have the name of this instance, $(shown "$host_name"): change the domain name in the DHCP options of the VPC, or give drover user-data --node-name instance-id"
}
