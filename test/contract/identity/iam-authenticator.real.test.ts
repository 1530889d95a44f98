import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Oracle, startOracle } from '@drover/cloud-sandbox/real/oracle.ts';
import { iamAuthenticator, program } from '@drover/cloud-sandbox/real/programs.ts';
import { runClient } from '@drover/cloud-sandbox/real/run-client.ts';
import { createTestAuthority } from '@drover/cloud-sandbox/real/test-authority.ts';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAskSts } from '../../../shared/aws/ask-sts.ts';
import { awsOverHttp } from '../../../shared/aws/aws-over-http.ts';
import { presignCallerIdentity } from '../../../shared/aws/caller-identity.ts';
import { identify } from '../../../shared/identity/authenticate.ts';
import { stsOn } from '../../support/sts-world.ts';
import { tokenMutation, tokenOfUrl, urlMutation } from '../../support/tokens/mutations.ts';
import { signedUrl } from '../../support/tokens/signed-url.ts';
import { type DrawnPlan, drawnPlan } from '../../support/tokens/token-plans.ts';
import { stricter } from './support/stricter.ts';
import { serveSts } from './support/sts-on-tls.ts';

const claim = (behaviour: string) => ({
  meta: {
    claim: { area: 'Tokens of IAM', behaviour, world: `aws-iam-authenticator ${iamAuthenticator.version}` },
  },
});

const clock = { now: () => Date.now() };
const sts = stsOn(clock);
const roleArn = sts.iam.putRole({
  roleName: 'dev',
  policies: [],
  trustPolicy: { Version: '2012-10-17', Statement: [] },
}).arn;
const session = sts.iam.issueCredentials({ roleArn, sessionName: 'ann@example.com', durationSeconds: 3600 });
const signers = {
  user: { accessKeyId: sts.accessKeyId, secretAccessKey: sts.secretAccessKey },
  session,
  stranger: { accessKeyId: sts.accessKeyId, secretAccessKey: 'another-secret' },
} as const;

interface Theirs {
  readonly identity?: Readonly<Record<string, string>>;
  readonly refused?: string;
  readonly reason?: string;
}

let server: Awaited<ReturnType<typeof serveSts>>;
let oracle: Oracle;

const ours = (token: string) =>
  identify(
    {
      now: clock.now,
      partition: 'aws',
      askSts: createAskSts({ requestHandler: awsOverHttp(sts.sendHttp), clusterId: 'prod' }),
    },
    token,
  );
const theirs = async (token: string) => (await oracle.ask({ token })) as Theirs;

const ownToken = async (signer: 'user' | 'session', region = 'eu-west-1') =>
  tokenOfUrl(
    await presignCallerIdentity(
      { credentials: async () => signers[signer], clock, region },
      { clusterId: 'prod' },
    ),
  );

const tokenOf = ({ ageSeconds, signer, ...plan }: DrawnPlan): string =>
  signedUrl({ ...plan, credentials: signers[signer], signedAt: clock.now() - ageSeconds * 1000 });

describe.skipIf(iamAuthenticator.missing !== undefined)('tokens, beside aws-iam-authenticator', () => {
  beforeAll(async () => {
    const authority = await createTestAuthority('sts');
    server = await serveSts(sts, await authority.issue({ commonName: 'sts', names: ['sts.test'] }));
    oracle = startOracle(program(iamAuthenticator, 'oracle'), ['prod', `127.0.0.1:${server.port}`]);
  });

  afterAll(async () => {
    await oracle?.stop();
    server?.close();
  });

  test.each(['user', 'session'] as const)(
    'a token that Drover makes for a %s is of the same identity there',
    claim('a token that Drover makes is of the same identity there'),
    async (signer) => {
      const token = await ownToken(signer);
      const verdict = await ours(token);
      expect(verdict.kind).toBe('identity');
      expect((await theirs(token)).identity).toEqual(asTheirs(verdict));
    },
  );

  test('10,000 drawn and changed tokens get the same answer, or a stricter one for a written reason', {
    ...claim('10,000 drawn and changed tokens get the same answer, or a stricter one for a written reason'),
    timeout: 600_000,
  }, async () => {
    const counts: Record<string, number> = {};
    const count = (what: string) => {
      counts[what] = (counts[what] ?? 0) + 1;
    };
    await fc.assert(
      fc.asyncProperty(drawnPlan, urlMutation, tokenMutation, async (plan, changeUrl, changeToken) => {
        const token = changeToken(tokenOfUrl(changeUrl(tokenOf(plan))));
        const [own, other] = [await ours(token), await theirs(token)];
        if (own.kind === 'identity') {
          count('both accept');
          expect(other.identity, `looser: ${JSON.stringify(plan)}`).toEqual(asTheirs(own));
        } else if (other.identity !== undefined) {
          const check = own.kind === 'refused' ? own.check : own.kind;
          count(`stricter: ${check}`);
          expect(Object.keys(stricter), `${check}: ${JSON.stringify(own)} of ${token}`).toContain(check);
        } else count('both refuse');
      }),
      { numRuns: 10_000, seed: 1907 },
    );
    expect(counts['both accept']).toBeGreaterThan(1000);
    expect(counts['both refuse']).toBeGreaterThan(1000);
    // Each reason of the list was seen: one that is not needed any more is taken out.
    expect(
      Object.keys(counts)
        .filter((what) => what.startsWith('stricter'))
        .toSorted(),
    ).toEqual(
      Object.keys(stricter)
        .map((check) => `stricter: ${check}`)
        .toSorted(),
    );
  });

  test(
    'a token that its command makes is good here',
    claim('a token that its command makes is good here'),
    async () => {
      const { stdout, stderr } = await runClient({
        command: program(iamAuthenticator, 'aws-iam-authenticator'),
        options: ['token', '--cluster-id', 'prod'],
        environment: { ...sts.environment, AWS_REGION: 'eu-west-1', AWS_EC2_METADATA_DISABLED: 'true' },
      });
      expect(stderr).toBe('');
      const { status } = JSON.parse(stdout) as { readonly status: { readonly token: string } };
      expect(await ours(status.token)).toMatchObject({ kind: 'identity', identity: { arn: sts.arn } });
    },
  );

  // Its commands have no option for the address of STS. They get a hosts file of their own, which needs root.
  test.skipIf(process.getuid?.() !== 0)(
    'a token that Drover makes is good for its command, and one for another cluster is not',
    claim('a token that Drover makes is good for its command, and one for another cluster is not'),
    async () => {
      const token = await ownToken('session');
      const good = await verifiedByCommand(token, 'prod');
      expect(JSON.parse(good.stdout)).toEqual(asTheirs(await ours(token)));
      expect(await verifiedByCommand(token, 'other')).toMatchObject({ code: 1, stdout: '' });
    },
  );
});

const withHosts = 'mount --bind "$0" /etc/hosts && exec "$@"';

async function verifiedByCommand(token: string, clusterId: string) {
  const directory = mkdtempSync(join(tmpdir(), 'iam-authenticator-'));
  // An address of this machine on which nothing else listens.
  const address = '127.77.19.7';
  const host = 'sts.eu-west-1.amazonaws.com';
  const authority = await createTestAuthority('sts');
  const own = await serveSts(sts, await authority.issue({ commonName: host, names: [host] }), {
    address,
    port: 443,
  });
  try {
    const [hosts, authorities] = [join(directory, 'hosts'), join(directory, 'ca.crt')];
    writeFileSync(hosts, `127.0.0.1 localhost\n${address} ${host}\n`);
    writeFileSync(authorities, authority.certificate);
    const verify = ['verify', '--cluster-id', clusterId, '--token', token, '--output', 'json'];
    return await runClient({
      command: 'unshare',
      options: [
        '--mount',
        'sh',
        '-c',
        withHosts,
        hosts,
        program(iamAuthenticator, 'aws-iam-authenticator'),
        ...verify,
      ],
      environment: { SSL_CERT_FILE: authorities, AWS_EC2_METADATA_DISABLED: 'true', AWS_REGION: 'eu-west-1' },
    });
  } finally {
    own.close();
    rmSync(directory, { recursive: true });
  }
}

/** Our identity as the original prints it. */
function asTheirs(verdict: Awaited<ReturnType<typeof ours>>): unknown {
  if (verdict.kind !== 'identity') return undefined;
  const { arn, canonicalArn, accountId, principalId, sessionName, accessKeyId } = verdict.identity;
  return expect.objectContaining({
    ARN: arn,
    CanonicalARN: canonicalArn,
    AccountID: accountId,
    UserID: principalId,
    SessionName: sessionName,
    AccessKeyID: accessKeyId,
  });
}
