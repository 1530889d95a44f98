#!/bin/bash
# Makes an instance of its own mount and network namespaces: `unshare --mount --net bash enter.sh FOLDER NODE FORWARDER`. What is written
# goes to memory, and ends with this process. FOLDER has the programs of the image, the authority of AWS and the sockets of the sandbox.
set -euo pipefail
folder=$1

mount -t tmpfs -o size=64m none /mnt
for name in etc usr var root opt; do
  mkdir "/mnt/$name" "/mnt/$name-work"
  mount -t overlay overlay -o "lowerdir=/$name,upperdir=/mnt/$name,workdir=/mnt/$name-work" "/$name"
done
mount -t tmpfs -o size=16m none /run
# Nothing of the machine that the tests run on.
for path in /etc/kubernetes /etc/origin /var/lib/kubelet /var/lib/drover-node /var/lib/origin; do
  mkdir -p "$path"
  mount -t tmpfs -o size=4m,mode=0755 none "$path"
done
rm -f /usr/bin/aws /usr/local/bin/aws
cp "$folder"/bin/* /usr/bin/
# Where Flatcar has its kubelet, and the images of EKS their script.
mkdir -p /opt/bin /etc/eks
cp "$folder/bin/kubelet" /opt/bin/
cp "$folder/bin/bootstrap.sh" /etc/eks/

for bundle in /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt; do
  [[ ! -e $bundle ]] || cat "$folder/authority.crt" >>"$bundle"
done
echo '127.0.0.1 localhost ssm.eu-west-1.amazonaws.com' >/etc/hosts
ip link set lo up
ip address add 169.254.169.254/32 dev lo
exec "$2" "$3" "$folder"
