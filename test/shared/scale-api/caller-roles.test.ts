import { describe, expect, it } from 'vitest';
import { callerRoleOf, principalOf, readPrincipals } from '../../../shared/scale-api/caller-roles.ts';

const iam = 'arn:aws:iam::123456789012:';
const session = (name: string, account = '123456789012') =>
  `arn:aws:sts::${account}:assumed-role/${name}/bob@example.com`;
const principals = readPrincipals(
  `viewer=${iam}role/team/reader operator=${iam}user/ci/pipeline\n admin=${iam}role/platform`,
);
const roleOf = (callerArn: string | undefined) => callerRoleOf(principals ?? new Map(), callerArn);

describe('the role of a caller', () => {
  it.each([
    [session('reader'), 'viewer'],
    [session('platform'), 'admin'],
    [`${iam}user/ci/pipeline`, 'operator'],
    [`${iam}role/platform`, 'admin'],
  ])('of %s is %s', (callerArn, role) => {
    expect(roleOf(callerArn)).toBe(role);
  });

  it.each([
    ['a role whose name begins alike', session('platform-2')],
    ['a role of another letter case', session('Platform')],
    ['a role of another account', session('platform', '210987654321')],
    ['a role of another partition', session('platform').replace('arn:aws:', 'arn:aws-cn:')],
    ['a user named as a role', `${iam}user/platform`],
    ['a user of another path', `${iam}user/pipeline`],
    ['a role named as a user', session('pipeline')],
    ['a session whose name continues the path', `arn:aws:sts::123456789012:assumed-role/other/role/platform`],
    ['a session without a name', 'arn:aws:sts::123456789012:assumed-role/platform/'],
    ['a federated user', 'arn:aws:sts::123456789012:federated-user/platform'],
    ['the root user', `${iam}root`],
    ['a newline at the end', `${session('platform')}\n`],
    ['an empty ARN', ''],
    ['no caller', undefined],
  ])('is none for %s', (_, callerArn) => {
    expect(roleOf(callerArn)).toBeUndefined();
  });

  it('is viewer for every signed caller if no principal is listed, and none without a signature', () => {
    expect(callerRoleOf(new Map(), session('anything'))).toBe('viewer');
    expect(callerRoleOf(new Map(), undefined)).toBeUndefined();
  });

  it('is that of the role of a session, without a path', () => {
    expect(principalOf(session('AWSReservedSSO_Admin_0123456789abcdef'))).toBe(
      `${iam}role/AWSReservedSSO_Admin_0123456789abcdef`,
    );
  });
});

describe('a table of principals', () => {
  it('takes names and paths with commas and equals signs', () => {
    const odd = readPrincipals(`admin=${iam}role/a=b,c/x,y=z`);
    expect(odd).toEqual(new Map([[`${iam}role/x,y=z`, 'admin']]));
  });

  it.each([
    ['an unknown role', `owner=${iam}role/platform`],
    ['no role', `${iam}role/platform`],
    ['a wildcard', `admin=${iam}role/*`],
    ['a whole account', `admin=${iam}root`],
    ['a session', `admin=${session('platform')}`],
    ['commas between entries', `admin=${iam}role/a,viewer=${iam}role/b`],
    ['a principal twice', `admin=${iam}role/platform viewer=${iam}role/platform`],
    ['a role under two paths', `admin=${iam}role/platform viewer=${iam}role/team/platform`],
  ])('with %s is refused', (_, text) => {
    expect(readPrincipals(text)).toBeUndefined();
  });
});
