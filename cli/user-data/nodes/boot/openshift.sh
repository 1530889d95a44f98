
fetch "$credential_parameter" /etc/origin/node/bootstrap.kubeconfig 0640 server:
# The node reads it as the engine's client does.
if [[ -n $registry_parameter ]]; then
  mkdir -p /var/lib/origin/.docker && chmod 0755 /var/lib/origin/.docker
  fetch "$registry_parameter" /var/lib/origin/.docker/config.json 0644 auths
fi
