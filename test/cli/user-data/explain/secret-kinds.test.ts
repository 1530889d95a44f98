import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { explain } from '../../../../cli/user-data/explain/explain.ts';

// None of them is or was valid; in pieces, so that scanners of repositories do not stop at them.
const github = ['gh', 'p_9aB3xQ7LmN2vT8kR5wY1cZ4dF6gH0jS3pU7e'].join('');
const slack = ['xox', 'b-204118372651-3390172645518-Qw7ErTy3UiOp9AsDf2GhJk5L'].join('');
const keyId = ['AKI', 'AQ3EGZ7XW2M5KBT4N'].join('');
const keySecret = 'b9Tq/4xWm+Zr7LpVc2NsYh8Ud6KfGa1EoJi3RtXw';
const password = 'tr0ub4dorAnd3';
const hash = `$6$saltsalt$${'Xy7'.repeat(20)}`;
const script = (line: string) => `#!/bin/bash\n${line}\n`;
const packed = gzipSync(`#!/bin/sh\nexport TOKEN=${password}\n`).toString('base64');
const files = (path: string, content: string) =>
  `#cloud-config\nwrite_files:\n  - path: ${path}\n    content: ${JSON.stringify(content)}\n`;
const nodeConfig = (spec: string) =>
  `apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n  cluster: {name: prod}\n${spec}`;

describe('a credential that its place or its form gives away is named and not shown', () => {
  it.each([
    ['docker login -p', password, script(`docker login -u bot -p ${password} registry.example.com`)],
    [
      'docker login on several lines',
      password,
      script(`docker login \\\n  -u bot \\\n  -p '${password}' r.example.com`),
    ],
    [
      'a password for docker in a pipe',
      password,
      script(`echo -n "${password}" | docker login -u bot --password-stdin r`),
    ],
    ['a password for passwd in a pipe', password, script(`echo ${password} | sudo passwd --stdin root`)],
    ['mysql -p', password, script(`mysql -uroot -p${password} -e 'select 1'`)],
    ['useradd -p', password, script(`useradd -m -p ${password} bob`)],
    ['a key of a network', password, script(`tailscale up --authkey=${password}`)],
    [
      'a Secret of kubectl',
      password,
      script(`kubectl create secret generic a --from-literal=db=${password}`),
    ],
    ['aws configure', password, script(`aws configure set aws_secret_access_key ${password}`)],
    ['podman login --password', password, script(`podman login --password ${password} r.example.com`)],
    ['curl -u', password, script(`curl -fsS -u deploy:${password} https://example.com/a`)],
    ['a header with a scheme of its own', password, script(`curl -H "Authorization: token ${password}" x`)],
    ['a header that goes on', password, script(`echo Authorization: Bearer ${password} prod`)],
    ['a header without a scheme', password, script(`curl -H 'authorization: ${password}' x`)],
    ['htpasswd -b', password, script(`htpasswd -bc /etc/nginx/users admin ${password}`)],
    ['chpasswd in a pipe', password, script(`echo "root:${password}" | sudo chpasswd`)],
    ['a short name of a variable', password, script(`export DB_PASS=${password}`)],
    ['a name that goes on', password, script(`REGISTRY_TOKEN_PROD=${password}`)],
    ['a token of GitHub', github, script(`systemctl start ${github}`)],
    ['a token of GitHub as a user', github, `#include\nhttps://${github}@raw.example.com/x\n`],
    [
      'a token of Slack in a label',
      slack,
      script(`/etc/eks/bootstrap.sh prod --kubelet-extra-args '--node-labels=a=${slack}'`),
    ],
    [
      'the id of an access key',
      keyId,
      script(`/etc/eks/bootstrap.sh prod --containerd-config-file ${keyId}`),
    ],
    [
      'the secret of an access key',
      keySecret,
      script(`/etc/eks/bootstrap.sh prod --kubelet-extra-args '--node-labels=a=${keySecret}'`),
    ],
    [
      'a URL that Google signed',
      password,
      script(`kubeadm join a:6443 --discovery-file 'https://h/k?X-Goog-Signature=${password}'`),
    ],
    ['chpasswd', password, `#cloud-config\nchpasswd:\n  list: |\n    root:${password}\n`],
    [
      'chpasswd with users',
      password,
      `#cloud-config\nchpasswd:\n  users: [{name: root, password: ${password}, type: text}]\n`,
    ],
    [
      'a compressed file',
      password,
      `#cloud-config\nwrite_files: [{path: /a, encoding: GZ+B64, content: ${packed}}]\n`,
    ],
    [
      'a compressed file of bytes',
      password,
      `#cloud-config\nwrite_files:\n- path: /a\n  encoding: gzip\n  content: !!binary ${packed}\n`,
    ],
    [
      'a compressed part',
      password,
      `Content-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: application/x-gzip\nContent-Transfer-Encoding: base64\n\n${packed}\n--b--\n`,
    ],
    [
      'a compressed file of Ignition',
      password,
      JSON.stringify({
        ignition: { version: '3.4.0' },
        storage: {
          files: [
            {
              path: '/a',
              contents: { compression: 'gzip', source: `data:;base64,${encodeURIComponent(packed)}` },
            },
          ],
        },
      }),
    ],
    ['the password of the first user', password, `#cloud-config\npassword: ${password}\n`],
    ['the hash of a password', hash, `#cloud-config\nusers: [{name: a, hashed_passwd: "${hash}"}]\n`],
    ['a mount of CIFS', password, `#cloud-config\nmounts: "//h/s /mnt cifs user=x,pass=${password}"\n`],
    ['.netrc', password, files('/root/.netrc', `machine h login u password ${password}\n`)],
    [
      'the credentials of AWS',
      keySecret,
      files(
        '/root/.aws/credentials',
        `[default]\naws_access_key_id = ${keyId}\naws_secret_access_key = ${keySecret}\n`,
      ),
    ],
    [
      'a registry of Bottlerocket',
      password,
      `[[settings.container-registry.credentials]]\nregistry = "r"\npassword = "${password}"\n`,
    ],
    ['credentials of AWS in Bottlerocket', password, `[settings.aws]\ncredentials = "${password}"\n`],
    ['another spelling of a key', password, `[settings.kubernetes]\n"Bootstrap_Token" = "${password}"\n`],
    [
      'a proxy without a scheme',
      password,
      `[settings.network]\nhttps-proxy = "u:${password}@h.example:8080"\n`,
    ],
    [
      'a user of Ignition',
      hash,
      JSON.stringify({
        ignition: { version: '3.4.0' },
        passwd: { users: [{ name: 'core', passwordHash: hash }] },
      }),
    ],
    [
      'the environment of a unit',
      password,
      JSON.stringify({
        ignition: { version: '3.4.0' },
        systemd: {
          units: [
            {
              name: 'a.service',
              dropins: [{ name: '1.conf', contents: `[Service]\nEnvironment="API_KEY=${password}"\n` }],
            },
          ],
        },
      }),
    ],
    [
      'a header of Ignition',
      password,
      JSON.stringify({
        ignition: {
          version: '3.4.0',
          config: {
            merge: [{ source: 'https://h/x', httpHeaders: [{ name: 'a', value: `token=${password}` }] }],
          },
        },
      }),
    ],
    ['a field of the kubelet', password, nodeConfig(`  kubelet: {config: {registryToken: ${password}}}\n`)],
    [
      'the environment of nodeadm',
      password,
      nodeConfig(`  instance: {environment: {default: {DB_PW: ${password}}}}\n`),
    ],
  ])('%s', (_, secret, text) => {
    const explanation = explain(text);
    expect(JSON.stringify(explanation)).not.toContain(secret);
    expect(explanation.credentials).not.toEqual([]);
  });
});

describe('what may be a credential, and nothing says so, is not shown', () => {
  it.each([
    ['a flag that bootstrap.sh does not have', script(`/etc/eks/bootstrap.sh prod --licence ${password}`)],
    ['a line of an array', script(`WORDS=(\n--flag\n${password}\n)`)],
    ['a line of input', script(`mysql -p \\\n  prod\n${password}`)],
    [
      'a step that programs do not have',
      script(`kubeadm ${password}\nnodeadm ${password}\nsystemctl ${password} a`),
    ],
    ['a variable of a playbook', script(`ansible-playbook openshift_bootstrap.yml -e ${password}`)],
    ['an alias of YAML', `#cloud-config\npassword: *${password}\n`],
    ['a tag of YAML', `#cloud-config\npassword: !e!${password} x\n`],
    ['the head of a block of YAML', `#cloud-config\npassword: |${password}\n`],
    ['the query of a package', `#cloud-config\npackages: ["https://h/a.rpm?t=${password}"]\n`],
    ['a fragment', `#include\nhttps://h/x#${password}\n`],
    [
      'a command of Bottlerocket',
      `[settings.bootstrap-commands.a]\ncommands = [["apiclient", "set", "${password}"]]\n`,
    ],
    [
      'a variable of a credential provider',
      `[settings.kubernetes.credential-providers.a.environment]\nA = "${password}"\n`,
    ],
    [
      'an unknown field of the cluster',
      nodeConfig('').replace('{name: prod}', `{name: prod, key: ${password}}`),
    ],
  ])('%s', (_, text) => expect(JSON.stringify(explain(text))).not.toContain(password));
});

it.each([
  script('docker pull nginx:1.27.3@sha256:0a399eb16751829e1af26fea27b20c3ec28d7ab1fb72182879dcae1cca21206a'),
  script('kubeadm join a:6443 --token "$1"\nPASSWORD=${DB_PASSWORD}\nTOKEN=`cat /run/token`'),
  script(
    "/etc/eks/bootstrap.sh prod --kubelet-extra-args '--authentication-token-webhook=true --authorization-mode=Webhook'",
  ),
  script('git clone ssh://git@example.com/team/repository.git'),
  '#cloud-config\nchpasswd:\n  list: ["root:R", "core:RANDOM"]\n  expire: false\n',
  `[settings.kubernetes]\nauthentication-mode = "aws"\ncluster-name = "prod"\n`,
])('%s has no credential', (text) => expect(explain(text).credentials).toEqual([]));
