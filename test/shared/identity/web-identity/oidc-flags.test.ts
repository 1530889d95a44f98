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
          '--oidc-groups-prefix=oidc-',
          '--oidc-required-claim=hd=example.com',
          '--oidc-required-claim=team=a,b',
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
          { claim: 'team', requiredValue: 'a,b' },
          { claim: 'x', requiredValue: 'y=z' },
        ],
        claimMappings: {
          username: { claim: 'email', prefix: 'oidc:' },
          groups: { claim: 'groups', prefix: 'oidc-' },
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
    ['a flag without a value', manifest(...needed, '--oidc-ca-file'), '--oidc-ca-file has no value'],
    [
      'a variable of the kubelet',
      manifest(...needed, '--oidc-groups-prefix=$(PREFIX)'),
      '--oidc-groups-prefix is $(PREFIX): write the value itself',
    ],
    [
      'two flags in one word',
      manifest(`"${needed.join(' ')}"`),
      '--oidc-issuer-url has another flag in its value',
    ],
    [
      'a value that goes on after a space, without quotes',
      `ExecStart=kube-apiserver ${needed.join(' ')} --oidc-groups-prefix=team a: --v=2\n`,
      '--oidc-groups-prefix may have a value with a space, before a:: put it in quotes',
    ],
    [
      'a file already',
      manifest('--authentication-config=/etc/a.yaml'),
      '/etc/a.yaml already: give that file with --merge',
    ],
  ])('are refused for %s', (_, text, reason) => {
    expect(readOidcFlags(text)).toMatchObject({ kind: 'refused', reason: expect.stringContaining(reason) });
  });

  const spaced = { claim: 'groups', prefix: 'team a: ' };
  const line = `${needed.join(' ')} --oidc-groups-claim groups "--oidc-groups-prefix=team a: " --v=2 $MORE`;
  test.each([
    ['a list of YAML', manifest(...needed, '--oidc-groups-claim=groups', "'--oidc-groups-prefix=team a: '")],
    [
      'a plain text of YAML',
      manifest(...needed, '--oidc-groups-claim', 'groups', '--oidc-groups-prefix', '"team a: "'),
    ],
    [
      'a list of JSON',
      JSON.stringify({ args: [...needed, '--oidc-groups-claim=groups', '--oidc-groups-prefix=team a: '] }),
    ],
    ['a shell in a manifest', JSON.stringify({ command: ['sh', '-c', `exec kube-apiserver ${line}`] })],
    [
      'a unit of systemd',
      `[Service]\nExecStart=/usr/bin/kube-apiserver \\\n  ${line.replaceAll(' --', ' \\\n  --')}\nRestart=always\n`,
    ],
    ['a file of variables', `KUBE_API_ARGS='${line}'\nOTHER=x\n`],
    [
      'flags one a line',
      `${line.replace(' --v=2 $MORE', '').replaceAll(' --', '\n--').replace(' "', '\n"')}\n`,
    ],
    [
      'a configuration of kubeadm',
      JSON.stringify({
        kind: 'ClusterConfiguration',
        apiServer: {
          extraArgs: [...needed, '--oidc-groups-claim=groups', '--oidc-groups-prefix=team a: '].map(
            (flag) => {
              const [name = '', ...value] = flag.slice(2).split('=');
              return { name, value: value.join('=') };
            },
          ),
        },
      }),
    ],
    [
      'an older configuration of kubeadm',
      'kind: InitConfiguration\n---\nkind: ClusterConfiguration\napiServer:\n  extraArgs:\n    oidc-issuer-url: https://login.example.com\n    oidc-client-id: kubernetes\n    oidc-groups-claim: groups\n    oidc-groups-prefix: "team a: "\n',
    ],
  ])('keep the spaces of a value in %s', (_, text) => {
    expect(readOidcFlags(text)).toMatchObject({
      authenticator: {
        issuer: { url: 'https://login.example.com', audiences: ['kubernetes'] },
        claimMappings: { groups: spaced },
      },
    });
  });

  test('may have underscores for hyphens, as those of every component of Kubernetes', () => {
    expect(
      readOidcFlags(manifest('--oidc_issuer_url=https://a.example.com', '--oidc_client_id=k')),
    ).toMatchObject({ authenticator: { issuer: { url: 'https://a.example.com', audiences: ['k'] } } });
  });

  test('are no flags whose names only end or begin like theirs', () => {
    const others = [
      'x--oidc-client-id=a',
      '--my-oidc-client-id=a',
      '--authentication-config-x=a',
      '--oidc-client-id!=a',
    ];
    expect(readOidcFlags(JSON.stringify({ args: others }))).toEqual({ kind: 'none' });
  });

  test('may be the last word of a file, and have no rules where no claim is required', () => {
    const reading = readOidcFlags(needed.join(' '));
    expect(reading).toMatchObject({ kind: 'oidc' });
    expect(reading.kind === 'oidc' && reading.authenticator).not.toHaveProperty('claimValidationRules');
    expect(readOidcFlags('--oidc-client-id')).toMatchObject({ reason: '--oidc-client-id has no value' });
  });

  test('keep the prefix of names that are e-mail addresses', () => {
    expect(mappingsOf('--oidc-username-claim=email', '--oidc-username-prefix=x:')).toEqual({
      username: { claim: 'email', prefix: 'x:' },
    });
    expect(mappingsOf('--oidc-username-prefix=x:')).toEqual({ username: { claim: 'sub', prefix: 'x:' } });
  });

  test('are not those that an annotation keeps of an earlier manifest', () => {
    const last = JSON.stringify({ args: needed }).replaceAll('"', ' ');
    expect(readOidcFlags(JSON.stringify({ metadata: { annotations: { last } }, spec: {} }))).toEqual({
      kind: 'none',
    });
  });

  test('lose the spaces around the name and the value of a claim, as the API server cuts them', () => {
    expect(readOidcFlags(manifest(...needed, "'--oidc-required-claim= hd = a, b '"))).toMatchObject({
      authenticator: { claimValidationRules: [{ claim: 'hd', requiredValue: 'a, b' }] },
    });
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
