import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { releaseParameters } from '../../scripts/release/parameters.ts';

const page = readFileSync('docs/hardening.md', 'utf8');

const blocks = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, text = '']) => text);

interface Statement {
  readonly Sid: string;
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Principal?: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}
interface Policy {
  readonly Version: string;
  readonly Statement: readonly Statement[];
}
interface Template {
  readonly Resources: Readonly<
    Record<string, { readonly Type: string; readonly Properties?: { readonly PolicyDocument?: Policy } }>
  >;
}

const templates = blocks('yaml').map((text) => parse(text) as Template);
const policies = [
  ...blocks('json').map((text) => JSON.parse(text) as Policy),
  ...templates.flatMap(({ Resources }) =>
    Object.values(Resources).flatMap(({ Properties }) => Properties?.PolicyDocument ?? []),
  ),
];

/** The clients of the SDK that are installed: the action of an operation has its name. */
const clients: Readonly<Record<string, string>> = {
  events: 'eventbridge',
  iam: 'iam',
  lambda: 'lambda',
  sqs: 'sqs',
  ssm: 'ssm',
};

/**
 * Actions that are not operations of an installed client. IAM's pages for "AWS Key Management Service" and "Amazon S3" in the service authorization
 * reference have them; `iam:PassRole` and the last one belong to operations with other names.
 */
const others = new Set([
  ...['Decrypt', 'DescribeKey', 'Encrypt', 'GenerateDataKey', 'ReEncryptFrom', 'ReEncryptTo', '*'].map(
    (one) => `kms:${one}`,
  ),
  ...['DeleteObject', 'DeleteObjectVersion', 'PutBucketVersioning', 'PutObject', '*'].map(
    (one) => `s3:${one}`,
  ),
  'iam:PassRole',
  'lambda:InvokeFunction',
]);

async function isAction(action: string): Promise<boolean> {
  if (others.has(action)) return true;
  const [service = '', name = ''] = action.split(':');
  const client = clients[service];
  if (client === undefined) return false;
  return `${name}Command` in ((await import(`@aws-sdk/client-${client}`)) as object);
}

const actionsOf = ({ Action }: Statement): readonly string[] => [Action].flat() as readonly string[];

describe('the recipes of docs/hardening.md', () => {
  test('parse: each is a template with resources of AWS, or a policy', () => {
    expect(templates.length).toBe(3);
    expect(policies.length).toBe(3);
    for (const { Resources } of templates)
      for (const { Type } of Object.values(Resources)) expect(Type).toMatch(/^AWS::\w+::\w+$/);
    for (const { Version, Statement } of policies) {
      expect(Version).toBe('2012-10-17');
      for (const { Effect, Resource } of Statement) {
        expect(['Allow', 'Deny']).toContain(Effect);
        expect(Resource).toBeDefined();
      }
    }
  });

  test('name actions of IAM that exist', async () => {
    const actions = new Set(policies.flatMap(({ Statement }) => Statement.flatMap(actionsOf)));
    expect(actions.size).toBeGreaterThan(30);
    for (const action of actions) expect(await isAction(action), action).toBe(true);
    for (const wrong of ['lambda:UpdateCode', 'ssm:PutParameters', 'kms:Sign2', 'ec2:RunInstances'])
      expect(await isAction(wrong), wrong).toBe(false);
  });

  test('deny only with an exception, and allow everyone only under conditions', () => {
    for (const { Sid, Effect, Principal, Condition } of policies.flatMap(({ Statement }) => Statement)) {
      if (Effect === 'Deny') expect(Object.keys(Condition ?? {}).length, Sid).toBeGreaterThan(0);
      if (Effect === 'Allow' && JSON.stringify(Principal) === '{"AWS":"*"}')
        expect(Condition, Sid).toMatchObject({ ArnLike: { 'aws:PrincipalArn': expect.anything() } });
    }
  });

  test('bound a service policy of organizations to its size', () => {
    const scp = policies.find(({ Statement }) => Statement.some(({ Sid }) => Sid === 'FunctionsAndRules'));
    // 5,120 characters without spaces: the quota of AWS Organizations.
    expect(JSON.stringify(scp).length).toBeLessThan(5_120);
  });

  test('name parameters that a stage has', () => {
    const known = new Set(Object.keys(releaseParameters()));
    const table = page
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map((line) => line.split('|')[3] ?? '');
    const named = table.flatMap((cell) => [...cell.matchAll(/`([a-z]\w+)`/g)].map(([, name = '']) => name));
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('the SCP of docs/hardening.md', () => {
  const statements =
    policies.find(({ Statement }) => Statement.some(({ Sid }) => Sid === 'FunctionsAndRules'))?.Statement ??
    [];
  const exceptionsOf = ({ Condition }: Statement): readonly string[] =>
    [Condition?.ArnNotLike?.['aws:PrincipalArn'] ?? []].flat();
  const actionsIn = (...files: readonly string[]): ReadonlySet<string> =>
    new Set(files.flatMap((file) => readFileSync(file, 'utf8').match(/\b[a-z]+:[A-Z]\w+/g) ?? []));

  /** The statements that deny one of these actions without an exception for the role. */
  const inTheWay = (actions: ReadonlySet<string>, role: string): readonly string[] =>
    statements
      .filter((statement) => actionsOf(statement).some((action) => actions.has(action)))
      .filter((statement) => !exceptionsOf(statement).includes(`arn:aws:iam::*:role/${role}`))
      .map(({ Sid }) => Sid);

  test('is in the way of no role of Drover', () => {
    const roles = actionsIn(
      ...globSync('deploy/**/*.{yml,cjs}').filter((file) => !file.includes('parameters')),
    );
    expect(roles).toContain('ssm:PutParameter');
    expect(inTheWay(roles, 'drover-STAGE-*')).toEqual([]);
  });

  /** The role that deploys runs `drover uninstall`, as docs/hardening.md says: nothing else in docs/cli.md deletes a queue. */
  const isOfOperator = (action: string): boolean => action !== 'sqs:DeleteQueue';

  test('is in the way of no operator who uses the command line', () => {
    const operator = new Set([...actionsIn('docs/cli.md', 'docs/capacity.md')].filter(isOfOperator));
    expect(operator).toContain('iam:PassRole');
    expect(inTheWay(operator, 'operator')).toEqual([]);
  });

  test('excepts the role that deploys, and no other', () => {
    expect(inTheWay(new Set(statements.flatMap(actionsOf)), 'deployer')).toEqual([]);
    expect(statements.map(({ Sid }) => Sid)).toEqual([
      'FunctionsAndRules',
      'Queues',
      'Roles',
      'PassRole',
      'Secrets',
    ]);
    expect(inTheWay(new Set(['lambda:UpdateFunctionCode', 'sqs:SetQueueAttributes']), 'other')).toEqual([
      'FunctionsAndRules',
      'Queues',
    ]);
  });
});
