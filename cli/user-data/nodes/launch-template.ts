import { createHash } from 'node:crypto';
import type { LatestVersion, MetadataOptions } from '../../../shared/aws/launch-templates.ts';
import type { LaunchTemplateFormat } from './names.ts';

/** Version 2 of the metadata service, and its answers reach no container with an address of its own: credentials of the node stay there. */
const metadataOptions = {
  HttpEndpoint: 'enabled',
  HttpTokens: 'required',
  HttpPutResponseHopLimit: 1,
} as const;

/**
 * The part of a launch template that user data decides, as EC2's API takes it, with the options of a version that it does not decide: EC2
 * takes the options of a new version as a whole. Pure.
 */
export const launchTemplateData = (userData: Uint8Array, others: MetadataOptions = {}) => ({
  MetadataOptions: { ...others, ...metadataOptions },
  UserData: Buffer.from(userData).toString('base64'),
});

/** The same for each tool: the data of `aws ec2 create-launch-template`, a resource of CloudFormation, a file `.tf.json`. Pure. */
export function launchTemplateOf(format: LaunchTemplateFormat, userData: Uint8Array): object {
  const data = launchTemplateData(userData);
  if (format === 'aws') return data;
  if (format === 'cloudformation')
    return { Type: 'AWS::EC2::LaunchTemplate', Properties: { LaunchTemplateData: data } };
  const options = { http_endpoint: 'enabled', http_tokens: 'required', http_put_response_hop_limit: 1 };
  return {
    resource: { aws_launch_template: { node: { metadata_options: options, user_data: data.UserData } } },
  };
}

/** What a new version would change of the latest one; empty: nothing. Pure. */
export function changesOf(latest: LatestVersion, userData: Uint8Array): readonly string[] {
  const { UserData } = launchTemplateData(userData);
  return [
    ...(latest.userData === UserData ? [] : ['user data']),
    ...(latest.httpTokens === 'required' ? [] : ['metadata tokens required']),
    ...(latest.hopLimit === 1 ? [] : ['metadata hop limit 1']),
    ...(latest.metadataIsOff ? ['metadata service on'] : []),
  ];
}

interface NewVersion {
  readonly templateId: string;
  readonly source: number;
  readonly data: ReturnType<typeof launchTemplateData>;
}

/**
 * The same for the same change of the same version: a command that is run again after a lost answer makes no second version. It has the id of
 * the template, because another template may get the same name, and the whole data, because EC2 refuses a token that comes with other data. Pure.
 */
export const clientTokenOf = ({ templateId, source, data }: NewVersion): string =>
  createHash('sha256')
    .update(JSON.stringify([templateId, source, data]))
    .digest('hex')
    .slice(0, 48);
