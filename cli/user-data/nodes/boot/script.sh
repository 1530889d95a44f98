
readonly kubeconfig=/var/lib/kubelet/kubeconfig
readonly bootstrap=/var/lib/kubelet/bootstrap-kubeconfig
readonly authority=/etc/kubernetes/drover-ca.crt

# With a certificate that is still good there is nothing to ask for.
has_certificate() {
  [[ -s $kubeconfig && -s $authority ]] && ! has_expired /var/lib/kubelet/pki/kubelet-client-current.pem
}

read_credential() {
  fetch "$credential_parameter" "$bootstrap" 0600 certificate-authority-data
  mkdir -p "${authority%/*}"
  sed -n 's/.*certificate-authority-data"\{0,1\}: *"\{0,1\}\([A-Za-z0-9+/=]*\).*/\1/p' "$bootstrap" | head -n 1 |
    base64 -d >"$authority.part"
  { ((PIPESTATUS[2] == 0)) && [[ -s $authority.part ]]; } ||
    fail "parameter $credential_parameter holds no certificate authority, or $authority cannot be written"
  { chmod 0644 "$authority.part" && mv "$authority.part" "$authority"; } || fail "$authority cannot be written"
}

write_iam_kubeconfig() {
  mkdir -p "${authority%/*}" "${kubeconfig%/*}"
  { base64 -d <<<"$certificate_authority" >"$authority" && chmod 0644 "$authority"; } || fail "$authority cannot be written"
  printf '%s' "$iam_kubeconfig" | sed "s/@REGION@/$region/" >"$kubeconfig" || fail "$kubeconfig cannot be written"
}

find_node_name
leave_warm_pool
flags=(
  --config="$kubelet_configuration" --kubeconfig="$kubeconfig"
  --hostname-override="$node_name" --provider-id="aws:///$zone/$instance_id"
)
# As kubeadm does: what systemd-resolved writes for the machine itself leads pods to themselves.
[[ ! -s /run/systemd/resolve/resolv.conf ]] || flags+=(--resolv-conf=/run/systemd/resolve/resolv.conf)
if [[ $credential == iam ]]; then
  write_iam_kubeconfig
else
  has_certificate || read_credential
  # It is used only where the kubeconfig is missing, or its certificate has expired.
  [[ ! -s $bootstrap ]] || flags+=(--bootstrap-kubeconfig="$bootstrap")
fi
say "starts the kubelet as $node_name"
# Pods of other users read what the kubelet makes for them.
umask 022
exec "$kubelet" "${flags[@]}" ${kubelet_flags[@]+"${kubelet_flags[@]}"}
