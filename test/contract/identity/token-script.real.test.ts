import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { clients, program } from '@drover/cloud-sandbox/real/programs.ts';
import { runClient } from '@drover/cloud-sandbox/real/run-client.ts';
import { versionOf } from '@drover/cloud-sandbox/test/contract/clients/versions.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAskSts } from '../../../shared/aws/ask-sts.ts';
import { awsOverHttp } from '../../../shared/aws/aws-over-http.ts';
import { identify } from '../../../shared/identity/authenticate.ts';
import { stsOn } from '../../support/sts-world.ts';

const script = join(import.meta.dirname, '../../../examples/drover-iam-token');
const instanceId = 'i-0123456789abcdef0';
const clock = { now: () => Date.now() };
const sts = stsOn(clock);
const home = mkdtempSync(join(tmpdir(), 'token-script-'));

const claim = (behaviour: string) => ({
  meta: {
    claim: {
      area: 'Tokens of IAM',
      behaviour,
      world: `AWS CLI ${clients.missing ? '' : versionOf('awscli')}`,
    },
  },
});

/** The metadata of an instance with the role `node`, as IMDSv2 serves it. */
function metadataOf({ url = '', method, headers }: IncomingMessage): string | undefined {
  if (method === 'PUT') return 'session';
  if (headers['x-aws-ec2-metadata-token'] !== 'session') return undefined;
  const path = url.replace('/latest/meta-data/', '');
  if (path === 'placement/region') return 'eu-west-1';
  if (path === 'iam/security-credentials/') return 'node';
  return path === 'iam/security-credentials/node' ? JSON.stringify(credentialsOfInstance()) : undefined;
}

function credentialsOfInstance() {
  const { arn: roleArn } = sts.iam.putRole({
    roleName: 'node',
    policies: [],
    trustPolicy: { Version: '2012-10-17', Statement: [] },
  });
  const made = sts.iam.issueCredentials({ roleArn, sessionName: instanceId, durationSeconds: 3600 });
  return {
    Code: 'Success',
    Type: 'AWS-HMAC',
    LastUpdated: new Date(clock.now()).toISOString(),
    Expiration: new Date(clock.now() + 3_600_000).toISOString(),
    AccessKeyId: made.accessKeyId,
    SecretAccessKey: made.secretAccessKey,
    Token: made.sessionToken,
  };
}

let metadata: Server;

const run = (options: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  runClient({
    command: script,
    options,
    environment: {
      PATH: `${dirname(program(clients, 'aws'))}:${process.env['PATH']}`,
      HOME: home,
      AWS_EC2_METADATA_SERVICE_ENDPOINT: `http://127.0.0.1:${(metadata.address() as AddressInfo).port}`,
      // A proxy of a test or a VPC: a token that names it is good nowhere.
      AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
      ...environment,
    },
  });

const identityOf = (token: string, clusterId: string) =>
  identify(
    {
      now: clock.now,
      partition: 'aws',
      askSts: createAskSts({ requestHandler: awsOverHttp(sts.sendHttp), clusterId }),
    },
    token,
  );

describe.skipIf(clients.missing !== undefined)(
  'the token script of an instance with only the AWS CLI',
  () => {
    beforeAll(async () => {
      metadata = createServer((request, response) => {
        const text = metadataOf(request);
        response.writeHead(text === undefined ? 404 : 200).end(text);
      });
      await new Promise<void>((resolve) => metadata.listen(0, '127.0.0.1', resolve));
    });

    afterAll(() => {
      metadata?.closeAllConnections();
      metadata?.close();
      rmSync(home, { recursive: true });
    });

    test(
      'an instance makes a token of its own role, for one cluster',
      claim('an instance makes a token of its own role, for one cluster'),
      async () => {
        const { stdout, stderr, code } = await run(['--raw', 'prod']);
        expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
        expect(await identityOf(stdout.trim(), 'prod')).toMatchObject({
          kind: 'identity',
          identity: { canonicalArn: 'arn:aws:iam::123456789012:role/node', sessionName: instanceId },
        });
        expect(await identityOf(stdout.trim(), 'other')).toMatchObject({ kind: 'refused', check: 'sts' });
      },
    );

    test(
      'it is a credential plugin, in the version that the kubeconfig asks for',
      claim('it is a credential plugin, in the version that the kubeconfig asks for'),
      async () => {
        const apiVersion = 'client.authentication.k8s.io/v1beta1';
        const KUBERNETES_EXEC_INFO = JSON.stringify({ apiVersion, kind: 'ExecCredential', spec: {} });
        const { stdout } = await run(['prod'], { ...sts.environment, KUBERNETES_EXEC_INFO });
        const { status, ...rest } = JSON.parse(stdout) as { readonly status: { readonly token: string } };
        expect(rest).toMatchObject({ apiVersion, kind: 'ExecCredential' });
        expect(await identityOf(status.token, 'prod')).toMatchObject({ identity: { arn: sts.arn } });
      },
    );

    test('without a region it says what to set, and prints no token', async () => {
      const { stdout, stderr, code } = await run(['prod'], {
        ...sts.environment,
        AWS_EC2_METADATA_SERVICE_ENDPOINT: 'http://127.0.0.1:9',
      });
      expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
      expect(stderr).toContain('set AWS_REGION');
    });
  },
);
