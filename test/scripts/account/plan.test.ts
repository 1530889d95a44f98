import { existsSync } from 'node:fs';
import { commands, roleBoundary } from '@drover/cloud-sandbox/real/account/commands.ts';
import { expect, test } from 'vitest';
import { planRun, renderPlan, usualMaximumDollars } from '../../../scripts/account/plan.ts';
import { prices } from '../../../scripts/account/prices.ts';
import { operations } from '../../../scripts/account/rates/rates.ts';
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

test('the policy allows each operation of its services, in the region of the run, and nothing with a wildcard', () => {
  const { Statement } = planRun(request).policy;
  const [run] = Statement;
  const allowed = Statement.flatMap(({ Action }) => Action);
  for (const service of suites.flatMap((suite) => suite.services))
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
  const { Statement } = planRun(request).policy;
  const ofRoles = Statement.filter(({ Action }) => Action.some((action) => /Role/.test(action)));
  const named = ofRoles.filter(({ Resource }) => Resource === 'arn:aws:iam::*:role/drover-account-*');
  expect(named.flatMap(({ Action }) => Action)).toEqual(
    expect.arrayContaining(['iam:CreateRole', 'iam:PutRolePolicy', 'iam:DeleteRole', 'iam:PassRole']),
  );
  const conditionOf = (name: string) => named.find(({ Action }) => Action.includes(name))?.Condition;
  expect(conditionOf('iam:CreateRole')).toEqual({
    StringEquals: { 'iam:PermissionsBoundary': roleBoundary },
  });
  expect(conditionOf('iam:PassRole')).toEqual({
    StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' },
  });
  const elsewhere = ofRoles.filter((statement) => !named.includes(statement));
  expect(elsewhere.flatMap(({ Action }) => Action).filter((action) => /Role/.test(action))).toEqual([
    'iam:ListRoles',
    'iam:CreateServiceLinkedRole',
  ]);
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
