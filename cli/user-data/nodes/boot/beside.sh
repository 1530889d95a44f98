
# curl with the client certificate $1 of the authority $2, and what else it needs.
ask() {
  curl --silent --show-error --noproxy '*' --max-time 10 --output /dev/null \
    --cacert "$pki/$2.crt" --cert "$pki/$1.crt" --key "$pki/$1.key" "${@:3}" 2>"$why"
}

# A learner refuses reads, and a member without a quorum does not answer them.
etcd_votes() {
  ask apiserver-etcd-client etcd/ca --fail --data '{"key":"AA=="}' https://127.0.0.1:2379/v3/kv/range
}

# From 1.33 on kubeadm points the kubelet at the API server beside it, which ends with its member: the kubelet of a leaving node could
# not report the end of pods.
use_endpoint() {
  ! grep -qF "server: $endpoint" "$kubeconfig" || return 0
  { sed -i -e "s|server: .*|server: $endpoint|" "$kubeconfig" && systemctl restart kubelet.service; } ||
    try_again 'the kubelet cannot be pointed at the load balancer'
}

# kubeadm-config is written last, so a cluster that has it has everything. An API server that has just started may refuse a request that
# it allows moments later, when it has read the rights that kubeadm has made.
is_founded() {
  local status tries
  for ((tries = 0; tries < 24; tries++)); do
    : >"$why"
    status=$(ask apiserver-kubelet-client ca --write-out '%{http_code}' \
      "https://$address:6443/api/v1/namespaces/kube-system/configmaps/kubeadm-config")
    case $status in
      200) return 0 ;;
      404) return 1 ;;
    esac
    sleep 5
  done
  try_again "its API server answers $status when asked for the configuration of kubeadm $(tail -n 1 "$why")"
}

# Once for a cluster: a later instance would undo what an operator has changed of it. Two that do this at once write the same.
found_cluster() {
  local phase
  is_founded && return
  for phase in 'upload-config kubelet' bootstrap-token 'addon all' 'upload-config kubeadm'; do
    # shellcheck disable=SC2086 # a phase is one or two words
    kubeadm init phase $phase --config="$configuration" || try_again "kubeadm init phase $phase failed"
  done
}
