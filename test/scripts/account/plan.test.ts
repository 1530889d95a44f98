import { existsSync } from 'node:fs';
import { commands, roleBoundary } from '@drover/cloud-sandbox/real/account/commands.ts';
import { expect, test } from 'vitest';
import { planRun, renderPlan, usualMaximumDollars } from '../../../scripts/account/plan.ts';
import { prices } from '../../../scripts/account/prices.ts';
import { operations } from '../../../scripts/account/rates/rates.ts';
import { stackBoundary } from '../../../scripts/account/release-stack.ts';
import { suites } from '../../../scripts/account/suites.ts';

const request = { suites, region: 'eu-west-1', maximumDollars: usualMaximumDollars };

test('all suites together cost less than the usual maximum, at prices of no region', () => {
  const plan = planRun(request);
  expect(plan.isRefused).toBe(false);
  expect(plan.dollars).toBeGreaterThan(0);
  expect(plan.dollars).toBeLessThan(usualMaximumDollars);
});

test('the sum is that of the items, and an item that is made twice costs twice', () => {
  const once = planRun(request);
  const twice = planRun({ ...request, suites: [...suites, ...suites] });
  expect(twice.dollars).toBeCloseTo(2 * once.dollars);
  for (const { dollars, count, unitsEach, unitPrice } of once.items)
    expect(dollars).toBeCloseTo(count * unitsEach * unitPrice);
});

test('a plan above the maximum is refused, and says which maximum would allow it', () => {
  const plan = planRun({ ...request, maximumDollars: 0.5 });
  expect(plan.isRefused).toBe(true);
  const [, allowed = ''] = /--max-dollars (\d+)/.exec(renderPlan(plan)) ?? [];
  expect(planRun({ ...request, maximumDollars: Number(allowed) }).isRefused).toBe(false);
});

test('a bound is at least twice the price in us-east-1 that its source gives', () => {
  for (const { dollars, source } of Object.values(prices)) {
    const listed = [...source.matchAll(/ (\d+\.\d+)/g)].map(([, price]) => Number(price));
    expect(listed.length, source).toBeGreaterThan(0);
    for (const price of listed) expect(dollars, source).toBeGreaterThanOrEqual(2 * price);
  }
});

test('the policy allows each operation of its services, in the region of the run, and no wildcard but in what a deployment needs', () => {
  const { Statement } = planRun(request).policy;
  const [run] = Statement;
  const own = Statement.filter(({ Sid }) => !Sid.startsWith('Deployment'));
  const allowed = own.flatMap(({ Action, Effect }) => (Effect === 'Allow' ? Action : []));
  expect(allowed).toEqual(
    expect.arrayContaining(['s3:ListAllMyBuckets', 's3:ListBucket', 's3:DeleteObject', 's3:PutObject']),
  );
  for (const service of suites.flatMap((suite) => suite.services).filter((name) => name !== 's3'))
    for (const operation of Object.keys(commands[service]))
      expect(allowed).toContain(`${service}:${operation.replace(/Batch$/, '')}`);
  expect(allowed.filter((action) => action.includes('*'))).toEqual([]);
  expect(run?.Condition).toEqual({ StringEquals: { 'aws:RequestedRegion': 'eu-west-1' } });
});

test('nothing that a run may call changes what is not its own: users, other networks, settings of the account', () => {
  const names = Object.values(commands).flatMap((operations) => Object.keys(operations));
  expect(names).not.toContain('PutAccountSetting');
  expect(
    names.filter((name) =>
      /^(?:Run|Modify|Attach|Allocate|Create(?:User|NatGateway|InternetGateway))/.test(name),
    ),
  ).toEqual([]);
});

test('a role of a run can only send messages, is only for Scheduler, and has the prefix of runs', () => {
  const hooks = suites.filter(({ name }) => name === 'hooks');
  const { Statement } = planRun({ ...request, suites: hooks }).policy;
  const ofRoles = Statement.filter(({ Action }) => Action.some((action) => /Role/.test(action)));
  const named = ofRoles.filter(
    ({ Resource }) => Resource === 'arn:aws:iam::*:role/drover-account-????????-*',
  );
  expect(named.flatMap(({ Action }) => Action)).toEqual(
    expect.arrayContaining(['iam:CreateRole', 'iam:PutRolePolicy', 'iam:DeleteRole', 'iam:PassRole']),
  );
  const conditionOf = (name: string) => named.find(({ Action }) => Action.includes(name))?.Condition;
  for (const action of ['iam:CreateRole', 'iam:PutRolePolicy'])
    expect(conditionOf(action)).toEqual({ StringEquals: { 'iam:PermissionsBoundary': roleBoundary } });
  expect(conditionOf('iam:PassRole')).toEqual({
    StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' },
  });
  const elsewhere = ofRoles.filter((statement) => !named.includes(statement));
  expect(elsewhere.flatMap(({ Action }) => Action).filter((action) => /Role/.test(action))).toEqual([
    'iam:ListRoles',
    'iam:CreateServiceLinkedRole',
  ]);
});

test('a deployment has the permissions that the documentation lists, on what has a name of runs, and makes no role without a boundary', () => {
  const { Statement } = planRun(request).policy;
  const deployment = Statement.filter(({ Sid }) => Sid.startsWith('Deployment'));
  const ofAll = deployment.filter(({ Resource }) => Resource === '*');
  expect(ofAll).toHaveLength(1);
  const apis = 'arn:aws:apigateway:eu-west-1::/';
  for (const arn of deployment.flatMap(({ Resource }) => (Resource === '*' ? [] : Resource)))
    expect(arn.startsWith(apis) || arn.includes('drover-account-*'), arn).toBe(true);
  expect(JSON.stringify(deployment)).not.toMatch(/STAGE|CLUSTER|BUCKET|REGION|ACCOUNT/);
  expect(Statement.find(({ Sid }) => Sid === 'NoRolesWithoutBoundary')).toMatchObject({
    Effect: 'Deny',
    Action: expect.arrayContaining(['iam:CreateRole', 'iam:PutRolePolicy', 'iam:AttachRolePolicy']),
    Condition: { StringNotEquals: { 'iam:PermissionsBoundary': [roleBoundary, stackBoundary] } },
  });
});

test('the only roles that a plan may assume are those that call the scale API', () => {
  const { Statement } = planRun(request).policy;
  const assuming = Statement.filter(({ Action }) => Action.includes('sts:AssumeRole'));
  expect(assuming.flatMap(({ Resource }) => Resource)).toEqual(
    ['viewer', 'stranger', 'uninvited'].map(
      (caller) => `arn:aws:iam::*:role/drover-account-????????-${caller}`,
    ),
  );
});

test('the policy of each suite fits into a managed policy, and that of all into an inline policy of a role', () => {
  const length = (policy: object): number => JSON.stringify(policy).replaceAll(/\s/g, '').length;
  for (const suite of suites)
    expect(length(planRun({ ...request, suites: [suite] }).policy), suite.name).toBeLessThan(6144);
  expect(length(planRun(request).policy)).toBeLessThan(10_240);
});

test('the files of each suite exist, and their cases are those of a run', () => {
  for (const file of suites.flatMap(({ files }) => files)) {
    expect(existsSync(file), file).toBe(true);
    expect(file).toMatch(/\.account\.ts$/);
  }
});

test('a suite that measures costs nothing, and its plan names no cases', () => {
  const rates = suites.filter(({ name }) => name === 'rates');
  const plan = planRun({ ...request, suites: rates });
  expect(plan.dollars).toBe(0);
  expect(renderPlan(plan)).not.toContain('Its cases:');
  expect(plan.policy.Statement.flatMap(({ Action }) => Action)).toEqual(
    expect.arrayContaining(operations.map((operation) => `autoscaling:${operation}`)),
  );
});
