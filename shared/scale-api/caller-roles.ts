/** The roles of callers. Each role includes the rights of the roles before it. */
export const callerRoles = ['viewer', 'operator', 'admin'] as const;
export type CallerRole = (typeof callerRoles)[number];

/** The role of each listed principal, by the ARN that `principalOf` gives it. */
export type Principals = ReadonlyMap<string, CallerRole>;

/**
 * Names and paths may contain commas and equals signs (IAM user guide, "IAM and AWS STS quotas"), but no spaces. A colon in a path is
 * refused: otherwise entries separated by commas would match as one entry with a long path.
 */
const entryPattern =
  /^(viewer|operator|admin)=(arn:aws[a-z-]*:iam::\d{12}:)(role|user)(\/(?:[\w+=,.@/-]{1,510}\/)?)([\w+=,.@-]{1,64})$/;
const assumedRolePattern =
  /^(arn:aws[a-z-]*:)sts(::\d{12}:)assumed-role\/([\w+=,.@-]{1,64})\/[\w+=,.@-]{2,64}$/;

/**
 * Reads `ROLE=ARN` entries that are separated by spaces. The ARNs name IAM roles and users. Returns undefined if an entry is anything else,
 * or if a principal is listed twice.
 */
export function readPrincipals(text: string): Principals | undefined {
  const entries = text.trim().split(/\s+/).map(readEntry);
  if (!entries.every((entry) => entry !== undefined)) return undefined;
  const principals = new Map(entries);
  return principals.size === entries.length ? principals : undefined;
}

/** Drops the path of a role: the ARN of an assumed role has none, and the name of a role is unique in its account. */
function readEntry(entry: string): readonly [string, CallerRole] | undefined {
  const [, role, account = '', kind, path = '', name = ''] = entryPattern.exec(entry) ?? [];
  if (role === undefined) return undefined;
  return [`${account}${kind}${kind === 'role' ? '/' : path}${name}`, role as CallerRole];
}

/** The principal of a signed caller: for a session of a role, the ARN of the role without its path; otherwise the ARN itself. */
export function principalOf(callerArn: string): string {
  const [, partition, account, name] = assumedRolePattern.exec(callerArn) ?? [];
  return name === undefined ? callerArn : `${partition}iam${account}role/${name}`;
}

/** The role of a caller; undefined if it has none. If no principal is listed, every signed caller is a viewer. */
export function callerRoleOf(principals: Principals, callerArn: string | undefined): CallerRole | undefined {
  if (callerArn === undefined) return undefined;
  return principals.size === 0 ? 'viewer' : principals.get(principalOf(callerArn));
}

export const mayActAs = (role: CallerRole, needed: CallerRole): boolean =>
  callerRoles.indexOf(role) >= callerRoles.indexOf(needed);
