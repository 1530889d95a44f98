
readonly discovery=/var/lib/drover-node/discovery.kubeconfig
readonly configuration=/var/lib/drover-node/kubeadm.yaml
readonly attempt=/var/lib/drover-node/attempt
readonly kubeconfig=/etc/kubernetes/kubelet.conf
readonly certificate=/var/lib/kubelet/pki/kubelet-client-current.pem
# The unit of kubeadm's kubelet names it. kubeadm removes it after a join.
readonly bootstrap=/etc/kubernetes/bootstrap-kubelet.conf
readonly pki=/etc/kubernetes/pki
readonly hosts=/etc/hosts
readonly hosts_mark=' # drover-node: kubeadm init'

fetch_pki() {
  local file mode
  for file in $pki_files; do
    mode=0600
    [[ $file != *.crt && $file != *.pub ]] || mode=0644
    fetch "$pki_source/$file" "$pki/$file" "$mode" '-----BEGIN'
  done
}

# What only the instance knows; each value is checked above.
write_configuration() {
  sed -e "s|@NODE_NAME@|$node_name|g" -e "s|@ADDRESS@|$address|g" \
    -e "s|@PROVIDER_ID@|aws:///$zone/$instance_id|g" "$kubeadm_template" >"$configuration" || fail "$configuration cannot be written"
}

# The load balancer of the API servers has no target before there is one, and kubeadm init asks the API server that it starts by this name.
point_endpoint_here() {
  leave_endpoint
  trap leave_endpoint EXIT
  printf '%s %s%s\n' "$address" "$endpoint_name" "$hosts_mark" >>"$hosts"
}

# Ends the last line with a newline if it has none.
leave_endpoint() { sed -i -e "/$hosts_mark\$/d" -e "\$a\\" "$hosts"; }

# The unit is started again.
try_again() {
  say "$*"
  exit 1
}

# The certificate expires while the instance is off. kubeadm refuses to join a second time, and the kubelet, which starts again and
# again, requests another certificate once it has a credential. A file without the name of the certificate contains its own.
has_certificate() {
  ! grep -qF "$certificate" "$kubeconfig" || ! has_expired "$certificate"
}

request_certificate() {
  [[ $kubeadm_command == join ]] ||
    fail 'the certificate of the kubelet expired while this instance was off, and it founded the cluster without a credential for another one: replace it by an instance that joins'
  leave_warm_pool
  fetch "$credential_parameter" "$bootstrap" 0600 certificate-authority-data
  say 'the certificate of the kubelet expired while this instance was off: the kubelet requests another one'
}

if [[ -s $kubeconfig && ! -e $attempt ]]; then
  if has_certificate; then rm -f "$bootstrap"; else request_certificate; fi
  exit 0
fi
find_node_name
leave_warm_pool
[[ -n $address ]] || ! grep -q @ADDRESS@ "$kubeadm_template" ||
  try_again 'the instance has no private IPv4 address, on which its API server would listen'
# An earlier run was cut short: kubeadm refuses to go on from what it left.
# shellcheck disable=SC2086 # one flag or none
[[ ! -e $attempt ]] || kubeadm reset --force $reset_flags || try_again 'kubeadm reset failed'
# Without it, an attempt that is cut short would look like a node that has joined.
{ mkdir -p "${attempt%/*}" && : >"$attempt"; } || fail "$attempt cannot be written"
[[ -z $pki_files ]] || fetch_pki
[[ $kubeadm_command == init ]] || fetch "$credential_parameter" "$discovery" 0600 certificate-authority-data
write_configuration
say "runs kubeadm $kubeadm_command as $node_name"
umask 022
[[ -z $endpoint_name ]] || point_endpoint_here
[[ -z $etcd_domain ]] || wait_for 'etcd on this instance, which must vote' etcd_votes
# shellcheck disable=SC2086 # one flag or none
kubeadm "$kubeadm_command" --config="$configuration" $init_flags || exit 1
[[ -z $etcd_domain ]] || { found_cluster && use_endpoint; }
rm -f "$attempt" "$discovery"
