
readonly discovery=/var/lib/drover-node/discovery.kubeconfig
readonly configuration=/var/lib/drover-node/kubeadm.yaml
readonly attempt=/var/lib/drover-node/attempt
readonly pki=/etc/kubernetes/pki

fetch_pki() {
  local file mode
  for file in $pki_files; do
    mode=0600
    [[ $file != *.crt && $file != *.pub ]] || mode=0644
    fetch "$pki_parameters/$file" "$pki/$file" "$mode" '-----BEGIN'
  done
}

# What only the instance knows; each value is checked above.
write_configuration() {
  sed -e "s|@NODE_NAME@|$node_name|g" -e "s|@ADDRESS@|$address|g" \
    -e "s|@PROVIDER_ID@|aws:///$zone/$instance_id|g" "$kubeadm_template" >"$configuration"
}

[[ ! -s /etc/kubernetes/kubelet.conf || -e $attempt ]] || exit 0
leave_warm_pool
node_name=$(own_name)
# An earlier run was cut short: kubeadm refuses to go on from what it left.
[[ ! -e $attempt ]] || kubeadm reset --force || fail 'kubeadm reset failed'
: >"$attempt"
[[ -z $pki_files ]] || fetch_pki
[[ $kubeadm_command == init ]] || fetch "$credential_parameter" "$discovery" 0600 certificate-authority-data
write_configuration
say "runs kubeadm $kubeadm_command as $node_name"
umask 022
kubeadm "$kubeadm_command" --config="$configuration" || exit 1
rm -f "$attempt" "$discovery"
