
readonly certificate=/etc/origin/node/certificates/kubelet-client-current.pem

# Before each start of the node too: its certificate may have expired while the instance was off, and the credential on disk with it.
if [[ ${1:-} == at-start ]]; then
  [[ -s $certificate ]] && has_expired "$certificate" || exit 0
fi
fetch "$credential_parameter" /etc/origin/node/bootstrap.kubeconfig 0640 server:
# The node reads it as the engine's client does.
if [[ -n $registry_parameter ]]; then
  mkdir -p /var/lib/origin/.docker && chmod 0755 /var/lib/origin/.docker
  fetch "$registry_parameter" /var/lib/origin/.docker/config.json 0644 auths
fi
