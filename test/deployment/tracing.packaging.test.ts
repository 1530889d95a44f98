import { join } from 'node:path';
import { functionEnvironment } from '@drover/cloud-sandbox/lambda';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadDeployment } from '../../local/deployment/load-deployment.ts';
import { withTracing } from '../../shared/runtime/with-tracing.ts';
import { copyDeployment, type DeploymentCopy } from '../support/osls.ts';
import { createDaemon } from '../support/xray.ts';

type Resource = {
  readonly Type: string;
  readonly Properties: {
    readonly Policies?: readonly { readonly PolicyName: string }[];
    readonly Environment?: { readonly Variables: Readonly<Record<string, unknown>> };
  };
};

const place = { accountId: '123456789012', region: 'eu-west-1' };
/** A stage with every function. */
const everything = 'cluster: prod\ntokenWebhook: on\nchatWebhookSecret: drover/chat\n';

let copy: DeploymentCopy;
let off = '';
let rights = '';
let on = '';
beforeAll(async () => {
  copy = await copyDeployment();
  off = await packaged(everything);
  rights = await packaged(`${everything}tracing: rights\n`);
  on = await packaged(`${everything}tracing: on\n`);
}, 120_000);
afterAll(() => copy[Symbol.asyncDispose]());

const packaged = async (yaml: string): Promise<string> => JSON.stringify(await copy.packageStage(yaml));

const resourcesOf = (template: string): Readonly<Record<string, Resource>> =>
  (JSON.parse(template) as { readonly Resources: Readonly<Record<string, Resource>> }).Resources;

/** osls writes the time of packaging into the keys of the zips. */
const withoutTime = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/\d{13}-[\d:TZ.-]+/g, ''));

/** What tracing adds to a resource, taken away. */
function untraced({ Properties, ...rest }: Resource): unknown {
  const {
    TracingConfig: _,
    Policies,
    Environment,
    ...others
  } = Properties as Resource['Properties'] & {
    readonly TracingConfig?: unknown;
  };
  const { DROVER_TRACING: __, ...Variables } = Environment?.Variables ?? {};
  return {
    ...rest,
    Properties: {
      ...others,
      ...(Policies && { Policies: Policies.filter(({ PolicyName }) => PolicyName !== 'tracing') }),
      ...(Environment && { Environment: { Variables } }),
    },
  };
}

test('tracing changes nothing unless it is on: no property, right or variable', async () => {
  expect(off).not.toMatch(/xray|tracing/i);
  const named = (resources: Readonly<Record<string, Resource>>) =>
    Object.entries(resources)
      .filter(([, { Properties }]) => Properties !== undefined)
      .map(([name, resource]) => [name, untraced(resource)]);
  expect(withoutTime(named(resourcesOf(on)))).toEqual(withoutTime(named(resourcesOf(off))));
});

test('the step before tracing gives the roles the rights, and changes nothing else', () => {
  const only = (template: string, type: string, isOf: boolean) =>
    withoutTime(Object.entries(resourcesOf(template)).filter(([, { Type }]) => (Type === type) === isOf));
  expect(only(rights, 'AWS::IAM::Role', true)).toEqual(only(on, 'AWS::IAM::Role', true));
  expect(only(rights, 'AWS::IAM::Role', false)).toEqual(only(off, 'AWS::IAM::Role', false));
});

test('tracing gives each function active tracing, and its role the two rights that it needs', async () => {
  const functions = Object.values(resourcesOf(on)).filter(({ Type }) => Type === 'AWS::Lambda::Function');
  expect(functions.length).toBeGreaterThan(10);
  for (const { Properties } of functions) expect(Properties).toHaveProperty('TracingConfig.Mode', 'Active');
  const { functions: wirings, roles } = await loadDeployment({
    ...place,
    directory: join(copy.directory, '.serverless'),
  });
  const traced = roles.filter(({ policies }) => JSON.stringify(policies).includes('xray:'));
  expect(new Set(traced.map(({ roleArn }) => roleArn))).toEqual(
    new Set(wirings.map(({ roleArn }) => roleArn)),
  );
  for (const { policies } of traced)
    expect(JSON.stringify(policies).match(/"xray:\w+"/g)).toEqual([
      '"xray:PutTraceSegments"',
      '"xray:PutTelemetryRecords"',
    ]);
});

test('each function records its calls by what the template sets for it', async () => {
  const { functions } = await loadDeployment({ ...place, directory: join(copy.directory, '.serverless') });
  const credentials = { accessKeyId: 'ASIATEST', secretAccessKey: 'secret' };
  for (const wiring of functions) {
    const host = {
      environment: {
        ...functionEnvironment({ wiring, region: place.region, credentials }),
        AWS_XRAY_DAEMON_ADDRESS: '169.254.79.129:2000',
      },
      clock: { now: () => 0, after: () => ({ cancel: () => {} }) },
      randomBytes: (size: number) => new Uint8Array(size),
      sendHttp: () => Promise.reject(new Error('nothing is called at start')),
      sendDatagram: createDaemon().sendDatagram,
      writeLine: () => {},
    };
    expect(withTracing(host).trace, wiring.name).toBeDefined();
  }
});

test('a misspelt choice is refused, with what is allowed', async () => {
  await copy.writeStage('refused', 'cluster: prod\ntracing: active\n');
  const { code, output } = await copy.run(['package', '--stage', 'refused']);
  expect(code).toBe(1);
  expect(output).toContain('tracing is active: it takes on or rights or off');
});
