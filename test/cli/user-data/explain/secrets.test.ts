import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { explain } from '../../../../cli/user-data/explain/explain.ts';

const letters = (alphabet: string, length: number) =>
  fc
    .array(fc.constantFrom(...alphabet.split('')), { minLength: length, maxLength: length })
    .map((all) => all.join(''));

const small = 'abcdefghijklmnopqrstuvwxyz0123456789';
const mixed = `${small}ABCDEFGHIJKLMNOPQRSTUVWXYZ`;
const token = fc.tuple(letters(small, 6), letters(small, 16)).map(([id, secret]) => `${id}.${secret}`);
const password = letters(mixed, 24).map((text) => `Zz${text}`);
const jwt = fc
  .tuple(letters(mixed, 40), letters(mixed, 60), letters(mixed, 43))
  .map((parts) => `eyJ${parts.join('.')}`);

/** Each place of a user data in which people have left a credential, with the credential in it. */
const places: readonly ((secret: string) => string)[] = [
  (secret) =>
    `#!/bin/bash\nkubeadm join 10.0.0.1:6443 --token ${secret} --discovery-token-unsafe-skip-ca-verification\n`,
  (secret) =>
    `#!/bin/bash\nkubeadm join api:6443 --token=${secret} \\\n  --control-plane --certificate-key "${secret}"\n`,
  (secret) => `#!/bin/bash\nTOKEN='${secret}'\nkubeadm join api:6443 --token "$TOKEN"\n`,
  (secret) => `#!/bin/bash\nexport PASSWORD=${secret}\nsystemctl start kubelet\n`,
  (secret) => `#!/bin/bash\ncurl -u "admin:${secret}" https://example.com/x\naws s3 cp s3://b/k /x\n`,
  (secret) =>
    `#!/bin/bash\ncat >/etc/kubernetes/bootstrap-kubelet.conf <<EOF\nkind: Config\nusers:\n- user:\n    token: ${secret}\nEOF\n`,
  (secret) =>
    `#!/bin/bash\n/etc/eks/bootstrap.sh prod --docker-config-json '{"auths":{"r":{"auth":"${secret}"}}}' --kubelet-extra-args '--token=${secret}'\n`,
  (secret) =>
    `#cloud-config\nwrite_files:\n  - path: /etc/x\n    content: "password=${secret}"\nchpasswd: {list: ["root:${secret}"]}\npassword: ${secret}\nusers: [{name: a, passwd: "${secret}"}]\n`,
  (secret) =>
    `#cloud-config\nruncmd:\n  - [kubeadm, join, "api:6443", --token, "${secret}"]\n  - echo ${secret} | base64 -d\n`,
  (secret) =>
    `apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n  cluster: {name: prod}\n  kubelet: {flags: ["--token=${secret}"]}\n  containerd: {config: "auth = \\"${secret}\\""}\n`,
  (secret) =>
    JSON.stringify({
      ignition: {
        version: '3.4.0',
        config: { merge: [{ source: `https://b.s3.amazonaws.com/k?X-Amz-Signature=${secret}` }] },
      },
      storage: {
        files: [
          { path: '/x', contents: { source: `data:,token%3A%20${secret}` } },
          {
            path: '/y',
            contents: { source: `data:;base64,${Buffer.from(`password: ${secret}`).toString('base64')}` },
          },
        ],
      },
      passwd: { users: [{ name: 'core', passwordHash: secret }] },
    }),
  (secret) =>
    `[settings.kubernetes]\ncluster-name = "prod"\nbootstrap-token = "${secret}"\n[settings.host-containers.admin]\nuser-data = "${Buffer.from(secret).toString('base64')}"\n[settings.container-registry.credentials]\npassword = "${secret}"\n`,
  (secret) => `#include\nhttps://b.s3.amazonaws.com/k?X-Amz-Security-Token=${secret}\n`,
  (secret) =>
    `Content-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: text/plain; name="${secret.slice(0, 0)}x"\n\npassword: ${secret}\n--b--\n`,
];

const wrappings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => Buffer.from(text).toString('base64'),
  (text) => gzipSync(text).toString('base64'),
  (text) => text.replaceAll('\n', '\r\n'),
];

test('no credential of a user data is in what is printed, wherever it is', () => {
  fc.assert(
    fc.property(
      fc.oneof(token, password, jwt),
      fc.constantFrom(...places),
      fc.constantFrom(...wrappings),
      (secret, place, wrap) => {
        const text = JSON.stringify(explain(wrap(place(secret))));
        expect(text).not.toContain(secret);
        expect(text).not.toContain(Buffer.from(secret).toString('base64'));
      },
    ),
    { numRuns: 600 },
  );
});

test('a bootstrap token is named with its place, and the remedy reads it at boot', () => {
  const { credentials, drover } = explain(
    `#!/bin/bash\nkubeadm join api:6443 --token abcdef.0123456789abcdef\n`,
  );
  expect(credentials).toEqual(['line 2 holds a bootstrap token', 'the script holds a bootstrap token']);
  expect(drover.join('\n')).toContain('drover user-data kubeadm --cluster NAME');
});

test('a reference to a parameter is not a credential', () => {
  const text = `#!/bin/bash\nTOKEN=$(aws ssm get-parameter --name /drover/prod/token)\nkubeadm join api:6443 --token "$TOKEN"\n`;
  expect(explain(text).credentials).toEqual([]);
});

test('any text is explained without an error', () => {
  const odd = fc.array(
    fc.oneof(
      fc.string(),
      fc.constantFrom(
        '#!/bin/sh\n',
        '#cloud-config\n',
        '--b\n',
        '--b--\n',
        'Content-Type: multipart/mixed; boundary="b"\n\n',
        'Content-Type: multipart/mixed; boundary=b\n',
        '{"ignition":{}}',
        '[settings.kubernetes]\n',
        'apiVersion: node.eks.aws/v1alpha1\n',
        "'",
        '"',
        '\\\n',
        '<<EOF\n',
        'EOF\n',
        '$',
        '&a [*a]\n',
        'write_files: [1, {path: 2}]\n',
        'runcmd: {a: b}\n',
        '## template: jinja\n',
        '\r\n',
        '\u0000',
        '=3D=\n',
      ),
    ),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(odd, fc.constantFrom(...wrappings), (pieces, wrap) => {
      expect(explain(wrap(pieces.join(''))).drover.length).toBeGreaterThan(0);
    }),
    { numRuns: 1500 },
  );
});
