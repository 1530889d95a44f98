/** A section of `~/.aws/config` and `~/.aws/credentials`, as the SDK merges them. */
export type ProfileSection = Readonly<Record<string, string | undefined>>;
export type ProfileSections = Readonly<Record<string, ProfileSection | undefined>>;

/** What gives the credentials at the end of a profile's chain of roles. */
export type ProfileOrigin =
  | { readonly kind: 'keys' }
  | { readonly kind: 'sso'; readonly signInName: string }
  | { readonly kind: 'web-identity'; readonly tokenFile: string }
  | { readonly kind: 'environment' | 'machine' | 'process' | 'login' | 'none' };

export interface ProfileSource {
  readonly kind: 'source';
  /** The profiles that are read, in order: each but the last assumes a role with the credentials of the next. */
  readonly names: readonly string[];
  /** What they say, without secrets. */
  readonly settings: readonly ProfileSection[];
  readonly origin: ProfileOrigin;
}

export type ProfileReading = ProfileSource | { readonly kind: 'problem'; readonly reason: string };

/**
 * Finds where the credentials of a profile come from, in the order of the SDK (`resolveProfileData` of its credential-provider-ini). It reports
 * what the SDK passes over: a mistyped profile must not end with the role of the instance. Pure.
 *
 * @param before - the profiles whose `source_profile` this one is. If there are none, `isNamed` says whether the profile was asked for by name
 */
export function readProfile(
  sections: ProfileSections,
  name: string,
  { isNamed, before = [] }: { readonly isNamed: boolean; readonly before?: ProfileSource['names'] },
): ProfileReading {
  const own = sections[name] ?? {};
  const isSource = before.length > 0;
  if (sections[name] === undefined && (isNamed || isSource)) {
    const which = isSource ? `source_profile ${name} of profile ${before.at(-1)}` : `profile ${name}`;
    return problem(`${which} is in neither file of AWS profiles: check it with aws configure list-profiles`);
  }
  if (before.includes(name) && !hasKeys(own))
    return problem(`the profiles ${[...before, name].join(', ')} name each other as source_profile`);
  const names = [...before, name];
  const origin = originOf(own, isSource);
  if (origin === undefined)
    return problem(
      `profile ${name}: credential_source is not Environment, Ec2InstanceMetadata or EcsContainer`,
    );
  const setting = publicPart(own, sections);
  if (origin !== 'source-profile') return { kind: 'source', names: [name], settings: [setting], origin };
  const rest = readProfile(sections, own['source_profile'] ?? '', { isNamed, before: names });
  if (rest.kind === 'problem') return rest;
  return { ...rest, names: [name, ...rest.names], settings: [setting, ...rest.settings] };
}

const problem = (reason: string): ProfileReading => ({ kind: 'problem', reason });

const hasKeys = (section: ProfileSection): boolean =>
  Boolean(section['aws_access_key_id'] && section['aws_secret_access_key']);

/** Undefined for a `credential_source` that the SDK does not know. */
function originOf(own: ProfileSection, isSource: boolean): ProfileOrigin | 'source-profile' | undefined {
  if (isSource && hasKeys(own)) return { kind: 'keys' };
  const { role_arn: roleArn, source_profile: sourceProfile, credential_source: source } = own;
  if (roleArn && sourceProfile && !source) return 'source-profile';
  if (source && (roleArn ? !sourceProfile : isSource)) return credentialSources[source];
  if (hasKeys(own)) return { kind: 'keys' };
  const tokenFile = own['web_identity_token_file'];
  if (tokenFile && roleArn) return { kind: 'web-identity', tokenFile };
  if (own['credential_process']) return { kind: 'process' };
  const signInName = own['sso_session'] ?? own['sso_start_url'];
  if (signInName) return { kind: 'sso', signInName };
  return { kind: own['login_session'] ? 'login' : 'none' };
}

const credentialSources: Readonly<Record<string, ProfileOrigin>> = {
  Environment: { kind: 'environment' },
  Ec2InstanceMetadata: { kind: 'machine' },
  EcsContainer: { kind: 'machine' },
};

const secrets = ['aws_secret_access_key', 'aws_session_token'];

/** With the portal of an SSO session: another portal is another sign-in. */
const publicPart = (own: ProfileSection, sections: ProfileSections): ProfileSection => ({
  ...Object.fromEntries(Object.entries(own).filter(([name]) => !secrets.includes(name))),
  ...sections[`sso-session.${own['sso_session']}`],
});
