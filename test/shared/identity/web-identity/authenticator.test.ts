import { assert, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  celList,
  celMap,
  celText,
  webIdentityAuthenticator,
} from '../../../../shared/identity/web-identity/authenticator.ts';
import { audienceOf, type WebIdentityTrust } from '../../../../shared/identity/web-identity/trust.ts';

const account = 'arn:aws:iam::123456789012';
const ann = { arn: `${account}:role/ann`, username: 'ann', groups: ['admins'] };
const trust: WebIdentityTrust = {
  issuerUrl: 'https://a.tokens.sts.global.api.aws',
  audience: audienceOf('prod'),
  partition: 'aws',
  accountId: '123456789012',
  nodeRoles: [{ role: 'worker', arn: `${account}:role/k8s/worker` }],
  people: [ann],
  wholeAccount: false,
  anyMetadataVersion: false,
};
const authenticator = (changes: Partial<WebIdentityTrust> = {}) =>
  webIdentityAuthenticator({ ...trust, ...changes });
const messagesOf = (changes: Partial<WebIdentityTrust> = {}) =>
  authenticator(changes).claimValidationRules.map(({ message }) => message);

/** What API servers make of the rules is tried with a real one: test/contract/identity. */
describe('an authenticator for web identity tokens', () => {
  test('names the issuer letter by letter, with a copy of its documents only where one is given', () => {
    expect(authenticator().issuer).toEqual({ url: trust.issuerUrl, audiences: ['drover:prod'] });
    expect(authenticator({ discoveryUrl: 'https://mirror/d', certificateAuthority: 'PEM' }).issuer).toEqual({
      url: trust.issuerUrl,
      discoveryURL: 'https://mirror/d',
      certificateAuthority: 'PEM',
      audiences: ['drover:prod'],
    });
  });

  test('takes roles of nodes only from instances with IMDSv2, and names each role with its path and without', () => {
    const [, known, instance, delivery] = authenticator().claimValidationRules;
    const nodes = `['${account}:role/k8s/worker', '${account}:role/worker']`;
    expect(known?.expression).toBe(
      `claims.sub in ['${account}:role/k8s/worker', '${account}:role/worker', '${account}:role/ann']`,
    );
    expect(instance?.expression).toMatch(`!(claims.sub in ${nodes}) || `);
    expect(instance?.expression).toContain(
      ".matches('^arn:aws:ec2:[a-z0-9-]+:123456789012:instance/i-([0-9a-f]{8}|[0-9a-f]{17})$')",
    );
    expect(delivery?.expression).toMatch(/^!\(claims\.sub in .*ec2_role_delivery.* in \['2\.0', '2'\]$/);
    expect(messagesOf({ anyMetadataVersion: true })).toHaveLength(3);
    expect(messagesOf({ nodeRoles: [] })).toHaveLength(2);
  });

  test('asks for no known role where the whole account gets in, by ARN', () => {
    expect(messagesOf({ wholeAccount: true })).not.toContain(
      'no entry names the IAM role or user of the token',
    );
    const username = authenticator({ wholeAccount: true, nodeRoles: [] }).claimMappings.username.expression;
    expect(username).toBe(`{'${account}:role/ann': 'ann'}[?claims.sub].orValue(claims.sub)`);
  });

  test('gives an instance the bootstrap group of its role, its id, and no name that begins with system:', () => {
    const { claimMappings, userValidationRules } = authenticator();
    expect(claimMappings.username.expression).toContain("? 'drover:instance:' + ");
    expect(claimMappings.username.expression).toContain(".orValue('')");
    expect(claimMappings.groups.expression).toContain(
      `'${account}:role/worker': ['system:bootstrappers:drover:worker'], '${account}:role/ann': ['admins']`,
    );
    expect(claimMappings.extra.map(({ key }) => key)).toContain('drover.dev/instance-id');
    expect(userValidationRules.map(({ expression }) => expression)).toEqual([
      "!user.username.startsWith('system:')",
      "user.groups.all(group, !group.startsWith('system:') || (user.username.startsWith('drover:instance:') && group in ['system:bootstrappers:drover:worker']))",
    ]);
  });

  test('has no extra key that Kubernetes refuses: each is in lower case and not under k8s.io', () => {
    for (const { key } of authenticator().claimMappings.extra) expect(key).toMatch(/^drover\.dev\/[a-z-]+$/);
  });

  test('never asks `in claims`, which the API server’s claims have no operator for', () => {
    expect(JSON.stringify(authenticator())).not.toContain('in claims');
  });
});

test('a text is one literal of CEL, whatever is in it', () => {
  expect(celText(`d'ev "x" \\ \n`)).toBe(String.raw`'d\'ev "x" \\ \n'`);
  assert(
    property(string({ unit: 'binary-ascii' }), (text) => {
      const inside = celText(text).slice(1, -1);
      // Without its escapes it has no quote that would end it, and no line break.
      expect(inside.replaceAll(/\\(?:["'\\bfnrt]|u[0-9a-f]{4})/g, '')).not.toMatch(/['\\\n\r]/);
    }),
  );
});

test('lists and maps have their parts as literals', () => {
  expect(celList(['a', "b'"])).toBe(String.raw`['a', 'b\'']`);
  expect(celMap([['a', '[]']])).toBe(`{'a': []}`);
  expect(celMap([])).toBe('{}');
});
