import { DescribeAutoScalingGroupsCommand } from '@aws-sdk/client-auto-scaling';
import { countFileReads } from '@drover/cloud-sandbox/test/cloud/count-file-reads.ts';
import { describe, expect, it } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { clientSettings } from '../../../shared/aws/client-settings.ts';
import {
  autoScalingClient,
  ec2Client,
  loadBalancingClient,
  route53Client,
  sqsClient,
  ssmClient,
} from '../../../shared/aws/clients.ts';
import type { AwsConnection, AwsHttpRequest } from '../../../shared/aws/connection.ts';
import { s3Client } from '../../../shared/aws/s3-client.ts';

/** A connection whose every request is answered with nothing. */
function createConnection(environment: AwsConnection['environment'] = {}) {
  const asked: AwsHttpRequest[] = [];
  const connection: AwsConnection = {
    region: 'eu-west-1',
    environment,
    credentials: () => ({ accessKeyId: 'AKIATEST', secretAccessKey: 'secret' }),
    clock: { now: () => 0 },
    requestHandler: {
      handle: async (request) => {
        asked.push(request);
        return { response: { statusCode: 200, headers: { 'x-amzn-requestid': '1' }, body: Buffer.from('') } };
      },
    },
  };
  return { asked, connection };
}

/** The request that a client with this environment sends. */
async function requestWith(environment: AwsConnection['environment'] = {}) {
  const { asked, connection } = createConnection(environment);
  await autoScalingClient(connection).send(new DescribeAutoScalingGroupsCommand({}));
  const [request] = asked;
  if (!request) throw new Error('nothing was asked');
  return request;
}

const endpoint = { AWS_ENDPOINT_URL: 'http://127.0.0.1:4566' };
const ofAutoScaling = { AWS_ENDPOINT_URL_AUTO_SCALING: 'http://127.0.0.1:4567' };

describe('a client', () => {
  it.each([
    [{}, 'autoscaling.eu-west-1.amazonaws.com', undefined],
    [{ AWS_USE_FIPS_ENDPOINT: 'true' }, 'autoscaling-fips.eu-west-1.amazonaws.com', undefined],
    [{ AWS_USE_DUALSTACK_ENDPOINT: 'true' }, 'autoscaling.eu-west-1.api.aws', undefined],
    [endpoint, '127.0.0.1', 4566],
    [{ ...endpoint, ...ofAutoScaling }, '127.0.0.1', 4567],
    [{ ...endpoint, AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:1' }, '127.0.0.1', 4566],
    [
      { ...endpoint, ...ofAutoScaling, AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true' },
      'autoscaling.eu-west-1.amazonaws.com',
      undefined,
    ],
  ])('with the environment %j calls %s', async (environment, hostname, port) => {
    expect(await requestWith(environment)).toMatchObject({ hostname, port });
  });

  it('has a user agent with Drover, its version and the application of the environment', async () => {
    const { headers } = await requestWith({ AWS_SDK_UA_APP_ID: 'fleet' });
    expect(headers['user-agent']).toContain(`drover/${manifest.version}`);
    expect(headers['user-agent']).toContain('app/fleet');
  });

  it('reads the credentials before each request, because those of a role change', async () => {
    const { asked, connection } = createConnection();
    let accessKeyId = 'AKIAONE';
    const credentials = () => ({ accessKeyId, secretAccessKey: 'secret' });
    const client = autoScalingClient({ ...connection, credentials });
    await client.send(new DescribeAutoScalingGroupsCommand({}));
    accessKeyId = 'AKIATWO';
    await client.send(new DescribeAutoScalingGroupsCommand({}));
    expect(asked.map(({ headers }) => /AKIA\w+/.exec(headers['authorization'] ?? '')?.[0])).toEqual([
      'AKIAONE',
      'AKIATWO',
    ]);
  });

  it('reads no configuration file', async () => {
    expect(await countFileReads(() => requestWith())).toBe(0);
  });
});

describe('the endpoint of a service', () => {
  it('has an environment variable named after the service id of the SDK', async () => {
    const { connection } = createConnection();
    const clients = [
      autoScalingClient(connection),
      ec2Client(connection),
      loadBalancingClient(connection),
      route53Client(connection),
      s3Client(connection),
      sqsClient(connection),
      ssmClient(connection),
    ];
    for (const { config } of clients) {
      const suffix = config.serviceId.replaceAll(' ', '_').toUpperCase();
      const environment = { [`AWS_ENDPOINT_URL_${suffix}`]: 'http://127.0.0.1:1' };
      expect(clientSettings({ ...connection, environment }, config.serviceId)).toMatchObject({
        endpoint: 'http://127.0.0.1:1',
      });
    }
  });
});

it.each(['garbage', '127.0.0.1:4566', 'ftp://127.0.0.1'])(
  'an endpoint of the environment that is not a URL, such as %s, is refused with the name of its variable',
  (endpoint) => {
    const { connection } = createConnection({ AWS_ENDPOINT_URL_SQS: endpoint });
    expect(() => clientSettings(connection, 'SQS')).toThrow(
      /^AWS_ENDPOINT_URL_SQS is not an endpoint: write a URL/,
    );
    expect(clientSettings(connection, 'EC2')).not.toHaveProperty('endpoint');
  },
);
