import type { Resource, Resources } from '../deployment/template-plugin.ts';
import { splitPolicy } from './policy-texts.ts';
import type { Part } from './template.ts';

interface ResourceInput {
  readonly resource: Resource;
  readonly resources: Resources;
  readonly place: (value: unknown) => unknown;
  /** Function -> the name of its zip below the prefix. */
  readonly zips: Readonly<Record<string, string>>;
}

/** A resource of the release: its zip of the release, its policies, its parameters. Pure. @throws Error for a function without a zip */
export function releaseResource({ resource, resources, place, zips }: ResourceInput): Part {
  const { DependsOn = [], Properties, ...rest } = resource;
  const names = [DependsOn].flat();
  const sometimes = names.filter((name) => {
    const { Condition } = resources[name] ?? {};
    return Condition !== undefined && Condition !== resource.Condition;
  });
  const always = names.filter((name) => !sometimes.includes(name));
  const ready = Properties && withZip(withPolicies(withDependencies(Properties, sometimes)), zips);
  return {
    ...rest,
    ...(ready && { Properties: place(ready) }),
    ...(always.length > 0 && { DependsOn: always }),
  };
}

type Properties = NonNullable<Resource['Properties']>;

/**
 * A function waits for the policy of its network interfaces, if there is one. `DependsOn` knows no conditions, so a subnet of the function
 * is selected from a list that refers to the policy.
 */
function withDependencies(properties: Properties, sometimes: readonly string[]): Properties {
  if (sometimes.length === 0) return properties;
  const { 'Fn::If': choice } = properties['VpcConfig'] as {
    readonly 'Fn::If': readonly [string, { readonly SubnetIds: readonly unknown[] }, unknown];
  };
  const [condition, { SubnetIds, ...vpc }, none] = choice;
  const [first, ...others] = SubnetIds;
  const waiting = { 'Fn::Select': [0, [first, ...sometimes.map((Ref) => ({ Ref }))]] };
  return {
    ...properties,
    VpcConfig: { 'Fn::If': [condition, { ...vpc, SubnetIds: [waiting, ...others] }, none] },
  };
}

/** Only roles have this property. */
function withPolicies(properties: Properties): Properties {
  const { Policies } = properties;
  return Array.isArray(Policies)
    ? { ...properties, Policies: Policies.flatMap((policy) => splitPolicy(policy, 'zzclusterzz')) }
    : properties;
}

/** Only functions have this property. */
function withZip(properties: Properties, zips: ResourceInput['zips']): Properties {
  const { S3Key } = (properties['Code'] ?? {}) as { readonly S3Key?: string };
  if (S3Key === undefined) return properties;
  const zip = zips[/([^/]+)\.zip$/.exec(S3Key)?.[1] ?? ''];
  if (zip === undefined) throw new Error(`there is no zip for ${S3Key}`);
  return {
    ...properties,
    Code: { S3Bucket: { Ref: 'ArtifactBucket' }, S3Key: { 'Fn::Sub': `\${ArtifactPrefix}${zip}` } },
  };
}
