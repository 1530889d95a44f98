import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { ownershipOf } from '../../../../cli/migrate/nth/settings/critical.ts';
import { definitionOf, flagOf, settingNames } from '../../../../cli/migrate/nth/settings/definitions.ts';
import {
  type Container,
  containerOf,
  settingsOfContainer,
} from '../../../../cli/migrate/nth/settings/from-container.ts';
import { settingsOfValues } from '../../../../cli/migrate/nth/settings/from-values.ts';
import { readSettings } from '../../../../cli/migrate/nth/settings/settings.ts';

const ofContainer = (container: Container) =>
  readSettings(settingsOfContainer(container), { isChart: false });
const ofEnv = (env: Readonly<Record<string, string>>) =>
  ofContainer({ env: Object.entries(env).map(([name, value]) => ({ name, value })) });
const ofValues = (text: string) => readSettings(settingsOfValues(text, 'values.yaml'), { isChart: true });
const owner = (settings: ReturnType<typeof ofEnv>) => ownershipOf(settings, 'nth');

describe('the settings of AWS Node Termination Handler', () => {
  it('have the defaults of the program, in which it watches the instance metadata', () => {
    expect(owner(ofEnv({}))).toEqual({ kind: 'nodes' });
    expect(ofEnv({}).nodeTerminationGracePeriod).toEqual({ kind: 'known', value: 120, isDefault: true });
  });

  it.each([
    ['the default tag', {}, { kind: 'tag', key: 'aws-node-termination-handler/managed' }],
    ['a tag of its own', { MANAGED_TAG: 'nth/prod' }, { kind: 'tag', key: 'nth/prod' }],
    ['the older name of the tag', { MANAGED_ASG_TAG: 'nth/old' }, { kind: 'tag', key: 'nth/old' }],
    [
      'both names, of which the newer one counts',
      { MANAGED_ASG_TAG: 'nth/old', MANAGED_TAG: 'nth/new' },
      { kind: 'tag', key: 'nth/new' },
    ],
    ['no check', { CHECK_TAG_BEFORE_DRAINING: 'F' }, { kind: 'all' }],
    ['no check, by its older name', { CHECK_ASG_TAG_BEFORE_DRAINING: '0' }, { kind: 'all' }],
    [
      'a check by the newer name',
      { CHECK_ASG_TAG_BEFORE_DRAINING: 'false', CHECK_TAG_BEFORE_DRAINING: 'TRUE' },
      { kind: 'tag', key: 'aws-node-termination-handler/managed' },
    ],
    [
      'an empty variable, which counts as none',
      { CHECK_TAG_BEFORE_DRAINING: '', CHECK_ASG_TAG_BEFORE_DRAINING: 'false' },
      { kind: 'all' },
    ],
  ])('say how instances are found: %s', (_, env, expected) => {
    expect(owner(ofEnv({ ENABLE_SQS_TERMINATION_DRAINING: 'true', ...env }))).toEqual(expected);
  });

  it.each([
    'kubernetes.io/cluster/prod',
    'k8s.io/cluster-autoscaler/enabled',
    'node.kubernetes.io/role',
    'Name',
    'eks:cluster-name',
    'drover.dev/role',
  ])('are refused if the tag is %s, which other programs read', (tag) => {
    expect(owner(ofEnv({ ENABLE_SQS_TERMINATION_DRAINING: 'true', MANAGED_TAG: tag }))).toMatchObject({
      reason: expect.stringContaining('other programs read'),
    });
  });

  it.each([
    ['yes', 'must be true or false'],
    ['FALSE ', 'must be true or false'],
  ])('are refused with %j, with which the program does not start', (text, reason) => {
    expect(
      owner(ofEnv({ ENABLE_SQS_TERMINATION_DRAINING: 'true', CHECK_TAG_BEFORE_DRAINING: text })),
    ).toMatchObject({ reason: expect.stringContaining(reason) });
  });

  it.each<[string, Container]>([
    ['a ConfigMap', { env: [{ name: 'MANAGED_TAG', valueFrom: { configMapKeyRef: { name: 'nth' } } }] }],
    ['envFrom', { envFrom: [{ configMapRef: { name: 'nth' } }] }],
    ['another variable', { args: ['--managed-tag', '$(TAG)'] }],
  ])('are refused if the tag comes from %s', (_, container) => {
    const env = [{ name: 'ENABLE_SQS_TERMINATION_DRAINING', value: 'true' }, ...(container.env ?? [])];
    expect(owner(ofContainer({ ...container, env }))).toMatchObject({
      reason: expect.stringContaining('cannot be read'),
      remedy: expect.stringContaining('--values'),
    });
  });

  it('count a flag before its variable, and the last of two variables with one name', () => {
    const env = [
      { name: 'QUEUE_URL', value: 'first' },
      { name: 'QUEUE_URL', value: 'last' },
      { name: 'WORKERS', value: '3' },
    ];
    const settings = ofContainer({
      command: ['/node-termination-handler', '-enable-sqs-termination-draining'],
      args: ['--workers', '20', '--cordon-only=true'],
      env,
    });
    expect(settings).toMatchObject({
      queueURL: { value: 'last' },
      workers: { value: 20 },
      cordonOnly: { value: true },
      enableSqsTerminationDraining: { value: true },
    });
  });

  it('are those of its container among others, by its image or its name', () => {
    const workload = (containers: readonly Container[]) => ({
      spec: { replicas: 1, template: { spec: { containers: [...containers] } } },
    });
    const sidecar = { name: 'proxy', image: 'proxy:1' };
    const copied = { name: 'nth', image: 'registry.test/copies/aws-node-termination-handler@sha256:0' };
    const named = { name: 'aws-node-termination-handler', image: 'registry.test/nth:1' };
    expect(containerOf(workload([sidecar, copied]))).toBe(copied);
    expect(containerOf(workload([sidecar, named]))).toBe(named);
    expect(
      containerOf(workload([sidecar, { image: 'my-aws-node-termination-handler-ui:1' }])),
    ).toBeUndefined();
  });
});

describe('values of the chart', () => {
  it('may be those of a chart that has it as a dependency, and text in quotes', () => {
    const text = 'aws-node-termination-handler:\n  enableSqsTerminationDraining: "true"\n  workers: "25"\n';
    expect(ofValues(text)).toMatchObject({
      workers: { value: 25 },
      enableSqsTerminationDraining: { value: true },
    });
  });

  it.each([
    ['yes', true],
    ['off', false],
    ['"true"', true],
    ['False', false],
  ])('read %s as Helm does', (text, expected) => {
    expect(ofValues(`cordonOnly: ${text}`).cordonOnly).toMatchObject({ kind: 'known', value: expected });
  });

  it('have the defaults of the chart, also for null and an empty file', () => {
    expect(ofValues('').enableASGLifecycleDraining).toMatchObject({ value: true, isDefault: true });
    expect(ofValues('workers: null').workers).toMatchObject({ value: 10, isDefault: true });
  });

  it('let extraEnv count before the rest, and name the Secret of a webhook without its URL', () => {
    const text = stringify({
      cordonOnly: false,
      webhookURLSecretName: 'hooks',
      extraEnv: [{ name: 'CORDON_ONLY', value: 'true' }],
    });
    expect(ofValues(text)).toMatchObject({
      cordonOnly: { value: true },
      webhookURL: { kind: 'hidden', from: 'Secret hooks' },
    });
  });

  it.each([
    'webhookURL: "https://hooks.test/T0P\nfoo: [',
    'webhookURL: https://hooks.test/T0P\nwebhookURL: https://hooks.test/T0P\n',
    'webhookURL: &a T0P\n  b: c',
    'webhookURL: *T0P',
    'T0P',
    'webhookURL: [T0P]',
  ])('that cannot be read are refused without a word of them: %j', (text) => {
    expect(() => settingsOfValues(text, 'values.yaml')).toThrow(/^values\.yaml cannot be read[^]*/);
    expect(() => settingsOfValues(text, 'values.yaml')).not.toThrow(/T0P/);
  });

  it('with variables in them are named by these, without the rest of the secret', () => {
    const value = 'https://hooks.test/T0P/$(TEAM)/$(TOKEN)';
    expect(ofEnv({ WEBHOOK_URL: value }).webhookURL).toEqual({
      kind: 'hidden',
      from: '$(TEAM) and $(TOKEN)',
    });
  });

  it('are unclear if only the older name of the check is set, which newer charts ignore', () => {
    const text = 'enableSqsTerminationDraining: true\ncheckASGTagBeforeDraining: false\n';
    expect(owner(ofValues(text))).toMatchObject({
      reason: expect.stringContaining('checkASGTagBeforeDraining'),
    });
  });

  it.each([
    ['- a list', 'not a mapping'],
    ['cordonOnly: [true]', 'cordonOnly is not a text'],
    ['extraEnv: 7', 'extraEnv is not a list'],
    ['a: b: c', 'cannot be read'],
    [`a: ${'x'.repeat(1024 * 1024)}`, 'longer than'],
    [
      'a: &a [1,2]\nb: &b [*a,*a]\nc: &c [*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d]',
      'alias',
    ],
  ])('are refused if they are %#', (text, message) => {
    expect(() => ofValues(text)).toThrow(message);
  });
});

const spelling = fc.oneof(
  fc.constantFrom(
    'true',
    'false',
    'True',
    'FALSE',
    '1',
    '0',
    't',
    'F',
    '',
    ' true',
    'yes',
    'no',
    'null',
    '~',
  ),
  fc.integer({ min: -5, max: 200_000 }).map(String),
  fc.string({ maxLength: 30 }),
);

describe('settings in odd spellings', () => {
  it('are known, hidden or invalid, and a known one has the type of the setting', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({ name: fc.constantFrom(...settingNames), text: spelling, isFlag: fc.boolean() }),
          { maxLength: 20 },
        ),
        (entries) => {
          const settings = ofContainer({
            env: entries
              .filter(({ isFlag }) => !isFlag)
              .map(({ name, text }) => ({ name: definitionOf(name).env, value: text })),
            args: entries
              .filter(({ isFlag }) => isFlag)
              .map(({ name, text }) => `--${flagOf(definitionOf(name))}=${text}`),
          });
          for (const name of settingNames) {
            const value = settings[name];
            if (value.kind !== 'known') continue;
            const types = { boolean: 'boolean', integer: 'number', text: 'string' } as const;
            expect(typeof value.value).toBe(types[definitionOf(name).type]);
          }
        },
      ),
    );
  });

  it('are the same from values of the chart and from the container that the chart renders of them', () => {
    const names = settingNames.filter(
      (name) => definitionOf(name).key !== undefined && !/ASG|Asg|gracePeriod/.test(name),
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.record({ name: fc.constantFrom(...names), text: spelling }), {
          selector: ({ name }) => name,
        }),
        (entries) => {
          const values = Object.fromEntries(entries.map(({ name, text }) => [definitionOf(name).key, text]));
          const fromValues = ofValues(stringify(values, { version: '1.1' }));
          const fromEnv = ofEnv(
            Object.fromEntries(entries.map(({ name, text }) => [definitionOf(name).env, text])),
          );
          for (const name of names) expect([name, fromValues[name]]).toEqual([name, fromEnv[name]]);
        },
      ),
    );
  });
});
