import { describe, expect, test } from 'vitest';
import { readOidcFlags } from '../../../../shared/identity/web-identity/oidc-flags.ts';

const manifest = (...flags: readonly string[]) =>
  `spec:\n  containers:\n    - command:\n        - kube-apiserver\n${flags.map((flag) => `        - ${flag}\n`).join('')}`;
const needed = ['--oidc-issuer-url=https://login.example.com', '--oidc-client-id=kubernetes'];
const mappingsOf = (...flags: readonly string[]) => {
  const reading = readOidcFlags(manifest(...needed, ...flags));
  return reading.kind === 'oidc' ? reading.authenticator.claimMappings : reading;
};

describe('the --oidc-* flags of an API server', () => {
  test('become an authenticator that maps as they did', () => {
    expect(
      readOidcFlags(
        manifest(
          ...needed,
          '--oidc-username-claim=email',
          '"--oidc-username-prefix=oidc:"',
          '--oidc-groups-claim=groups',
          '--oidc-groups-prefix=oidc:',
          '--oidc-required-claim=hd=example.com,team=a',
          '--oidc-required-claim=x=y=z',
          '--oidc-ca-file=/etc/ca.crt',
        ),
      ),
    ).toMatchObject({
      kind: 'oidc',
      certificateAuthorityFile: '/etc/ca.crt',
      authenticator: {
        issuer: { url: 'https://login.example.com', audiences: ['kubernetes'] },
        claimValidationRules: [
          { claim: 'hd', requiredValue: 'example.com' },
          { claim: 'team', requiredValue: 'a' },
          { claim: 'x', requiredValue: 'y=z' },
        ],
        claimMappings: {
          username: { claim: 'email', prefix: 'oidc:' },
          groups: { claim: 'groups', prefix: 'oidc:' },
        },
      },
    });
  });

  test.each([
    [[], { claim: 'sub', prefix: 'https://login.example.com#' }],
    [['--oidc-username-prefix=-'], { claim: 'sub', prefix: '' }],
    [['--oidc-username-claim=email'], { claim: 'email', prefix: '' }],
    [['--oidc-username-claim=name'], { claim: 'name', prefix: 'https://login.example.com#' }],
  ])('have the prefix of names that the API server had: %j', (flags, username) => {
    expect(mappingsOf(...flags)).toEqual({ username });
  });

  test('are none in the manifest of kubeadm', () => {
    expect(readOidcFlags(manifest('--anonymous-auth=true', '--secure-port=6443'))).toEqual({ kind: 'none' });
  });

  test('are none where they are commented out', () => {
    const off = needed.map((flag) => `# - ${flag}`);
    expect(readOidcFlags(`spec:\n  containers:\n    - command:\n  ${off.join('\r\n  ')}\r\n`)).toEqual({
      kind: 'none',
    });
    expect(readOidcFlags(manifest(...needed.map((flag) => `${flag} # was ${flag}-old`)))).toMatchObject({
      authenticator: { issuer: { url: 'https://login.example.com', audiences: ['kubernetes'] } },
    });
  });

  test('are taken from a unit of systemd too, and the last of a flag counts', () => {
    const text = `ExecStart=/usr/bin/kube-apiserver --oidc-issuer-url=https://old.example.com ${needed.join(' ')}\n`;
    expect(readOidcFlags(text)).toMatchObject({
      authenticator: { issuer: { url: 'https://login.example.com' } },
    });
  });

  test.each([
    ['no client', manifest('--oidc-issuer-url=https://login.example.com'), '--oidc-client-id is missing'],
    ['a rule without a value', manifest(...needed, '--oidc-required-claim=hd'), 'not NAME=VALUE'],
    [
      'a value apart from its flag',
      manifest(...needed, '--oidc-ca-file', '/etc/ca.crt'),
      'write --oidc-ca-file=VALUE',
    ],
    [
      'a file already',
      manifest('--authentication-config=/etc/a.yaml'),
      '/etc/a.yaml already: give that file with --merge',
    ],
  ])('are refused for %s', (_, text, reason) => {
    expect(readOidcFlags(text)).toMatchObject({ kind: 'refused', reason: expect.stringContaining(reason) });
  });

  test('are warned of where the file cannot say the same', () => {
    expect(readOidcFlags(manifest(...needed))).toMatchObject({
      warnings: [expect.stringContaining('RS256 alone')],
    });
    expect(readOidcFlags(manifest(...needed, '--oidc-signing-algs=RS512'))).toMatchObject({
      warnings: [expect.stringContaining('no counterpart')],
    });
  });
});
