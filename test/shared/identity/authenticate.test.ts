import { describe, expect, it } from 'vitest';
import { authenticate, type IdentityContext } from '../../../shared/identity/authenticate.ts';
import { readMapping } from '../../../shared/identity/read-mapping.ts';
import { presignedUrl, signedAt, tokenOf } from './tokens.ts';

const token = tokenOf(await presignedUrl());
const instanceId = 'i-0123456789abcdef0';
const stsAnswer = (sessionName: string) => ({
  status: 200,
  body: JSON.stringify({
    GetCallerIdentityResponse: {
      GetCallerIdentityResult: {
        Account: '123456789012',
        Arn: `arn:aws:sts::123456789012:assumed-role/dev/${sessionName}`,
        UserId: `AROAQ3EGR6KXEXAMPLE2:${sessionName}`,
      },
    },
  }),
});

function contextWith(part: Partial<IdentityContext> = {}, username = 'dev') {
  const asked: string[] = [];
  const { mapping } = readMapping(
    { mapRoles: [{ rolearn: 'arn:aws:iam::123456789012:role/dev', username }] },
    'all',
  );
  const context: IdentityContext = {
    now: () => signedAt,
    partition: 'aws',
    askSts: async () => {
      asked.push('sts');
      return stsAnswer('ann');
    },
    readMappings: [
      async () => {
        asked.push('mapping');
        return mapping;
      },
    ],
    findInstance: async (node) => {
      asked.push(node.instanceId);
      return undefined;
    },
    ...part,
  };
  return { context, asked };
}

describe('authenticate', () => {
  it('gives the user of a mapped identity', async () => {
    const { context } = contextWith();
    expect(await authenticate(context, token)).toMatchObject({ kind: 'user', user: { username: 'dev' } });
  });

  it('makes no call for a text that is not an IAM token', async () => {
    const { context, asked } = contextWith();
    expect(await authenticate(context, 'eyJhbGciOiJSUzI1NiJ9.e30.x')).toMatchObject({ check: 'prefix' });
    expect(asked).toEqual([]);
  });

  it('reads no mapping for an identity that STS does not confirm', async () => {
    const { context, asked } = contextWith({ askSts: async () => ({ status: 403, body: '{}' }) });
    expect(await authenticate(context, token)).toMatchObject({ kind: 'refused', check: 'sts' });
    expect(asked).toEqual([]);
  });

  it('looks an instance up only where the entry makes a node of it', async () => {
    const { context, asked } = contextWith({}, 'system:node:{{EC2PrivateDNSName}}');
    expect(await authenticate(context, token)).toMatchObject({ kind: 'unmapped' });
    expect(asked).toEqual(['sts', 'mapping']);
    const found = {
      isRunning: true,
      privateDnsName: 'ip-10-0-0-7.ec2.internal',
      roleArn: 'arn:aws:iam::123456789012:role/dev',
    };
    const nodes = contextWith(
      {
        askSts: async () => stsAnswer(instanceId),
        findInstance: async (node) => (node.instanceId === instanceId ? found : undefined),
      },
      'system:node:{{EC2PrivateDNSName}}',
    );
    expect(await authenticate(nodes.context, token)).toMatchObject({
      user: { username: 'system:node:ip-10-0-0-7.ec2.internal' },
    });
  });

  it('reads a source only for an identity that none before it knows, and guesses nothing while an earlier one is away', async () => {
    const away = async () => Promise.reject(new Error('away'));
    const of = (username: string) => async () =>
      readMapping({ mapRoles: [{ rolearn: 'arn:aws:iam::123456789012:role/dev', username }] }, 'all').mapping;
    const unmapped = async () => readMapping({}, 'all').mapping;
    const verdictOf = (...readMappings: IdentityContext['readMappings']) =>
      authenticate(contextWith({ readMappings }).context, token);
    expect(await verdictOf(of('first'), away)).toMatchObject({ user: { username: 'first' } });
    expect(await verdictOf(of('first'), of('second'))).toMatchObject({ user: { username: 'first' } });
    expect(await verdictOf(unmapped, of('second'))).toMatchObject({ user: { username: 'second' } });
    expect(await verdictOf(unmapped, unmapped)).toMatchObject({ kind: 'unmapped' });
    await expect(verdictOf(away, of('second'))).rejects.toThrow('away');
    await expect(verdictOf(unmapped, away)).rejects.toThrow('away');
  });

  it('guesses nothing where the mapping or EC2 does not answer', async () => {
    const away = async () => Promise.reject(new Error('away'));
    await expect(authenticate(contextWith({ readMappings: [away] }).context, token)).rejects.toThrow('away');
    const node = contextWith(
      { askSts: async () => stsAnswer(instanceId), findInstance: away },
      'system:node:{{EC2PrivateDNSName}}',
    );
    await expect(authenticate(node.context, token)).rejects.toThrow('away');
  });
});
