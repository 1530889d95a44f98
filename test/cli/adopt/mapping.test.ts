import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { mappedRoles, withRoles } from '../../../cli/adopt/plan/aws-auth.ts';
import { planAdoption } from '../../../cli/adopt/plan/plan.ts';
import { eks, group, observation, wishes } from './observed.ts';

const nodeRole = 'arn:aws:iam::123456789012:role/nodes';
const leaving = 'arn:aws:iam::123456789012:role/drover-prod-node-leaving';

const plan = (changes: Parameters<typeof eks>[0]) =>
  planAdoption(
    observation({
      eks: eks(changes),
      features: new Set(),
      groups: [group('workers', {}, { instanceRoleArns: [nodeRole] })],
    }),
    wishes(),
  );

const mapsOf = (text: string) => ({ awsAuth: { mapRoles: text }, mapped: mappedRoles(text) });

describe('the log-ins on EKS', () => {
  it('are access entries: in the group drover for functions, of type EC2_LINUX for nodes', () => {
    const { steps } = plan({});
    expect(steps.flatMap(({ actions }) => actions)).toEqual(
      expect.arrayContaining([
        { kind: 'create-entry', clusterName: 'prod', principalArn: leaving, groups: ['drover'] },
        { kind: 'create-entry', clusterName: 'prod', principalArn: nodeRole, groups: undefined },
      ]),
    );
  });

  it.each([
    ['sweep', 'drover:reader'],
    ['scale-api', 'drover:reader'],
    ['bootstrap-credential', 'drover:credentials'],
    ['certificate-requests', 'drover:certificates'],
    ['prewarm', 'drover:planner'],
    ['roll', 'drover:roller'],
    ['node-joining', 'drover'],
  ])('give %s no rights but those of %s', (name, group) => {
    const functionRoles = new Map([[name, `arn:aws:iam::123456789012:role/drover-prod-${name}`]]);
    expect(plan({ functionRoles }).steps.flatMap(({ actions }) => actions)).toContainEqual(
      expect.objectContaining({ kind: 'create-entry', groups: [group] }),
    );
    const textual = plan({ functionRoles, entries: undefined, ...mapsOf('') }).steps;
    expect(textual.find(({ id }) => id === 'aws-auth')?.shall).toContain(`in ${group}`);
    // As an earlier version of this command made it.
    const entries = new Map(
      [...functionRoles.values()].map((arn) => [arn, { type: 'STANDARD', groups: ['drover'] }]),
    );
    expect(plan({ functionRoles, entries })).toMatchObject({
      refusals: [],
      steps: expect.not.arrayContaining([expect.objectContaining({ subject: `log-in of ${name}` })]),
    });
  });

  it('are left alone if aws-auth or an entry has them', () => {
    const mapped = mapsOf(
      `- rolearn: ${nodeRole}\n  username: system:node:{{EC2PrivateDNSName}}\n  groups: [system:bootstrappers, system:nodes]\n`,
    );
    const entries = new Map([[leaving, { type: 'STANDARD', groups: ['drover'] }]]);
    expect(plan({ ...mapped, entries }).steps.filter(({ id }) => id.startsWith('entry/'))).toEqual([]);
  });

  it('of nodes with an entry of type STANDARD are refused, as karpenter-provider-aws#7558 describes', () => {
    const entries = new Map([[nodeRole, { type: 'STANDARD', groups: [] }]]);
    expect(plan({ entries }).refusals).toMatchObject([
      {
        subject: nodeRole,
        reason: expect.stringContaining('of type STANDARD'),
        remedy: expect.stringContaining('EC2_LINUX'),
      },
    ]);
  });

  it('get no second entry in aws-auth for a role, of which the last one would count (amazon-eks-ami#1821)', () => {
    const { refusals, steps } = plan({
      entries: undefined,
      ...mapsOf(`- rolearn: ${nodeRole}\n  username: ann\n  groups: [admins]\n`),
    });
    expect(refusals).toMatchObject([{ subject: nodeRole, reason: expect.stringContaining('ann in admins') }]);
    expect(steps.find(({ id }) => id === 'aws-auth')?.actions).toMatchObject([
      { before: { mapRoles: expect.any(String) }, after: expect.not.stringContaining('EC2PrivateDNSName') },
    ]);
  });
});

describe('aws-auth', () => {
  const role = { arn: 'arn:aws:iam::123456789012:role/team/drover', username: 'drover', groups: ['drover'] };

  test.each([
    ['indented', '  - rolearn: arn:aws:iam::123456789012:role/a\n    username: a\n'],
    [
      'with comments, without a newline at its end',
      '# ours\n- rolearn: arn:aws:iam::123456789012:role/a # a\n  username: a',
    ],
    ['empty', ''],
  ])('keeps what is there letter by letter: %s', (_name, before) => {
    const result = withRoles(before, [role]);
    expect(result.kind === 'text' && result.text.startsWith(before)).toBe(true);
  });

  test.each([
    ['JSON', '[{"rolearn":"arn:aws:iam::123456789012:role/a","username":"a","groups":[]}]'],
    ['a map', 'rolearn: arn:aws:iam::123456789012:role/a\n'],
    ['no YAML', '- rolearn: "arn\n'],
  ])('refuses a text to which nothing can be appended: %s', (_name, before) => {
    expect(withRoles(before, [role]).kind).toBe('refused');
  });

  it('writes ARNs without a path, which aws-auth does not compare', () => {
    expect(withRoles('', [role])).toMatchObject({
      text: expect.stringContaining('rolearn: arn:aws:iam::123456789012:role/drover\n'),
    });
  });

  it('loses no role whatever the text is (quickstart-amazon-eks#17, terraform-aws-eks#624)', () => {
    const entry = fc.record({
      name: fc.stringMatching(/^[a-z]{1,8}$/),
      indent: fc.constantFrom('', '  ', '    '),
      quote: fc.constantFrom('', '"', "'"),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(entry, { selector: ({ name }) => name, maxLength: 5 }),
        fc.boolean(),
        (entries, ends) => {
          const text = entries
            .map(
              ({ name, indent, quote }) =>
                `${entries[0]?.indent ?? indent}- rolearn: ${quote}arn:aws:iam::123456789012:role/${name}${quote}\n${entries[0]?.indent ?? indent}  username: ${name}\n`,
            )
            .join('');
          const before = ends ? text : text.trimEnd();
          const result = withRoles(before, [{ ...role, arn: 'arn:aws:iam::123456789012:role/NEW' }]);
          if (result.kind === 'refused') throw new Error(`${JSON.stringify(before)}: ${result.reason}`);
          const names = mappedRoles(result.text).map(({ username }) => username);
          expect(names).toEqual([...entries.map(({ name }) => name), 'drover']);
        },
      ),
    );
  });
});
