/**
 * Programs of an image that cannot run here, by their names. systemctl only writes down its calls; the kubelet and kubeadm leave the kubeconfig
 * that the real ones leave, made of the credential that they were given.
 */
export const imagePrograms: Readonly<Record<string, string>> = {
  systemctl: 'echo "$*" >>/run/systemctl-calls',
  'bootstrap.sh': ':',
  kubelet: `printf '%s\\n' "$@" >/run/kubelet-flags
for flag; do
  case $flag in
    --kubeconfig=*) kubeconfig=\${flag#*=} ;;
    --bootstrap-kubeconfig=*) bootstrap=\${flag#*=} ;;
  esac
done
[[ -s $kubeconfig ]] || cp "$bootstrap" "$kubeconfig"`,
  kubeadm: `echo "$*" >>/run/kubeadm-calls
[[ $1 != reset ]] || { rm -f /etc/kubernetes/kubelet.conf; exit 0; }
cp /var/lib/drover-node/kubeadm.yaml /run/kubeadm.yaml
cp /var/lib/drover-node/discovery.kubeconfig /etc/kubernetes/kubelet.conf`,
};
