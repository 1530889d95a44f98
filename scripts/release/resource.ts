import { type Both, merge, type Off } from './merge.ts';
import type { PackagedResource } from './package-variant.ts';
import { splitPolicy } from './policy-texts.ts';
import type { Part, ReleaseInput } from './template.ts';

interface ResourceInput {
  readonly part: PackagedResource;
  /** The resource where a switch is off. */
  readonly offs: readonly Off[];
  readonly both: Both;
  readonly place: (value: unknown) => unknown;
  readonly input: ReleaseInput;
}

/** A resource of the release: its properties for every choice, its zip of the release, its parameters. */
export function releaseResource({ part, offs, both, place, input }: ResourceInput): Part {
  const keeping = new Set(input.offs.filter(({ of }) => of.keepsEnvironment).map(({ of }) => of.condition));
  const always = dependenciesOf(part).filter((name) =>
    offs.every(({ value }) => dependenciesOf(value as PackagedResource).includes(name)),
  );
  const sometimes = dependenciesOf(part).filter((name) => !always.includes(name));
  const ready = (resource: PackagedResource): Part | undefined =>
    withZip(withPolicies(withDependencies(resource, sometimes)), input.zips);
  const on = ready(part);
  const merged = merge(
    on,
    offs.map(({ condition, value }) => ({
      condition,
      value: withEnvironment(ready(value as PackagedResource), keeping.has(condition) ? on : undefined),
    })),
    both,
  );
  const { DependsOn: _, Properties, ...rest } = part;
  return {
    ...rest,
    ...(Properties && { Properties: place(merged) }),
    ...(always.length > 0 && { DependsOn: always }),
  };
}

const dependenciesOf = ({ DependsOn = [] }: PackagedResource): readonly string[] => [DependsOn].flat();

/**
 * A function waits for the policy of its network interfaces, where there is one. `DependsOn` knows no conditions, so a subnet of the function
 * is selected from a list that refers to the policy.
 */
function withDependencies(resource: PackagedResource, sometimes: readonly string[]): PackagedResource {
  const { SubnetIds, ...vpc } = (resource.Properties?.['VpcConfig'] ?? {}) as {
    readonly SubnetIds?: readonly unknown[];
  };
  if (sometimes.length === 0 || !SubnetIds) return resource;
  const [first, ...others] = SubnetIds;
  const waiting = { 'Fn::Select': [0, [first, ...sometimes.map((Ref) => ({ Ref }))]] };
  return {
    ...resource,
    Properties: { ...resource.Properties, VpcConfig: { ...vpc, SubnetIds: [waiting, ...others] } },
  };
}

function withPolicies(resource: PackagedResource): PackagedResource {
  const policies = resource.Properties?.['Policies'];
  if (resource.Type !== 'AWS::IAM::Role' || !Array.isArray(policies)) return resource;
  return {
    ...resource,
    Properties: {
      ...resource.Properties,
      Policies: policies.flatMap((policy) => splitPolicy(policy, 'zzclusterzz')),
    },
  };
}

function withZip({ Type, Properties }: PackagedResource, zips: ReleaseInput['zips']): Part | undefined {
  if (Type !== 'AWS::Lambda::Function' || !Properties) return Properties;
  const { S3Key } = Properties['Code'] as { readonly S3Key: string };
  const zip = zips[/([^/]+)\.zip$/.exec(S3Key)?.[1] ?? ''];
  if (zip === undefined) throw new Error(`there is no zip for ${S3Key}`);
  return {
    ...Properties,
    Code: { S3Bucket: { Ref: 'ArtifactBucket' }, S3Key: { 'Fn::Sub': `\${ArtifactPrefix}${zip}` } },
  };
}

const withEnvironment = (own: Part | undefined, of: Part | undefined): Part | undefined =>
  own && of && 'Environment' in own ? { ...own, Environment: of['Environment'] } : own;
