import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadDeployment } from '../../local/deployment/load-deployment.ts';
import { readRelease } from '../../local/deployment/load-release.ts';
import { copyDeployment, type DeploymentCopy } from '../support/osls.ts';
import { releasedDirectory, releasedTemplate } from '../support/released.ts';

interface Resource {
  readonly Type: string;
  readonly Properties?: { readonly Path?: string; readonly PermissionsBoundary?: string };
}

const place = { accountId: '123456789012', region: 'eu-west-1' };
const boundary = 'arn:aws:iam::123456789012:policy/company/boundary';
/** A stage with every role. */
const everything = 'cluster: prod\ntokenWebhook: on\nchatWebhookSecret: drover/chat\n';

let copy: DeploymentCopy;
beforeAll(async () => {
  copy = await copyDeployment();
});
afterAll(() => copy[Symbol.asyncDispose]());

async function rolesOf(yaml: string): Promise<readonly Resource[]> {
  const { Resources } = (await copy.packageStage(yaml)) as { Resources: Record<string, Resource> };
  return Object.values(Resources).filter(({ Type }) => Type === 'AWS::IAM::Role');
}

describe('a permissions boundary and a path', () => {
  test('are those of every role of the stack', async () => {
    const roles = await rolesOf(
      `${everything}permissionsBoundary: ${boundary}\nrolePath: /company/drover/\n`,
    );
    expect(roles.length).toBeGreaterThan(10);
    for (const { Properties } of roles)
      expect(Properties).toMatchObject({ PermissionsBoundary: boundary, Path: '/company/drover/' });
  });

  test('are on no role of a stage that names none', async () => {
    for (const { Properties } of await rolesOf(everything)) {
      expect(Properties).not.toHaveProperty('PermissionsBoundary');
      expect(Properties).not.toHaveProperty('Path');
    }
  });

  test('follow each role into what runs with it, and into what passes it on', async () => {
    await copy.packageStage(`${everything}rolePath: /company/\n`);
    const wiring = await loadDeployment({ ...place, directory: join(copy.directory, '.serverless') });
    const roleArns = wiring.roles.map(({ roleArn }) => roleArn);
    expect(new Set(roleArns.map((arn) => arn.replace(/[^/]+$/, '')))).toEqual(
      new Set(['arn:aws:iam::123456789012:role/company/']),
    );
    for (const { roleArn } of wiring.functions) expect(roleArns).toContain(roleArn);
    expect(JSON.stringify(wiring)).not.toContain(':role/drover-prod-');
  });

  test('of a release are in the ARNs of its roles', async () => {
    const { roles } = readRelease({
      ...place,
      template: await releasedTemplate(),
      directory: releasedDirectory,
      stackName: 'drover-prod',
      parameters: { Cluster: 'prod', PermissionsBoundary: boundary, RolePath: '/company/' },
    });
    for (const { roleArn, roleName } of roles)
      expect(roleArn).toBe(`arn:aws:iam::123456789012:role/company/${roleName}`);
  });
});

test.each([
  ['the name of a policy', 'permissionsBoundary: boundary', 'it takes the ARN of a managed policy'],
  ['the ARN of a role', 'permissionsBoundary: arn:aws:iam::123456789012:role/x', 'it takes the ARN'],
  ['a path without its last slash', 'rolePath: /company', 'it begins and ends with a slash'],
  ['a path without its first slash', 'rolePath: company/', 'it begins and ends with a slash'],
  ['a path with a space', 'rolePath: /the company/', 'letters, digits and _+=.@-/'],
  ['a path of 161 characters', `rolePath: /${'p'.repeat(159)}/`, 'has at most 160'],
  ['no path', 'rolePath: null', 'rolePath is null'],
])('%s is refused, with what is allowed', async (_, line, message) => {
  await copy.writeStage('refused', `cluster: prod\n${line}\n`);
  const { code, output } = await copy.run(['package', '--stage', 'refused']);
  expect(code).toBe(1);
  expect(output).toContain(message);
});

test('a path of 160 characters is taken, and so is a boundary of AWS', async () => {
  const path = `/${'p'.repeat(158)}/`;
  const ofAws = 'arn:aws-us-gov:iam::aws:policy/PowerUserAccess';
  const [role] = await rolesOf(`cluster: prod\npermissionsBoundary: ${ofAws}\nrolePath: ${path}\n`);
  expect(role?.Properties).toMatchObject({ Path: path, PermissionsBoundary: ofAws });
});
