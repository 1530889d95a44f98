import {
  CreateLaunchTemplateVersionCommand,
  DescribeLaunchTemplateVersionsCommand,
  type EC2Client,
  type LaunchTemplateInstanceMetadataOptionsRequest as MetadataOptions,
  type RequestLaunchTemplateData,
} from '@aws-sdk/client-ec2';
import { hasCode, required } from './errors.ts';

export type { MetadataOptions };

/** What user data decides of a version. */
export interface LatestVersion {
  readonly templateId: string;
  readonly number: number;
  readonly userData: string | undefined;
  readonly httpTokens: string | undefined;
  readonly hopLimit: number | undefined;
  readonly metadataIsOff: boolean;
  /** The options that user data does not decide. */
  readonly otherMetadataOptions: MetadataOptions;
}

/** A launch template by its name or its id. */
export const templateReference = (nameOrId: string) =>
  /^lt-[0-9a-f]{8,17}$/.test(nameOrId) ? { LaunchTemplateId: nameOrId } : { LaunchTemplateName: nameOrId };

/** Whether EC2 has no such launch template, or no such version of it. */
export const isTemplateNotFound = (error: unknown): boolean =>
  hasCode(
    error,
    'InvalidLaunchTemplateId.NotFound',
    'InvalidLaunchTemplateId.VersionNotFound',
    'InvalidLaunchTemplateName.NotFoundException',
  );

/** @throws InvalidLaunchTemplateName.NotFoundException of EC2, and its like for ids. */
export async function latestVersion(client: EC2Client, nameOrId: string): Promise<LatestVersion> {
  const answer = await client.send(
    new DescribeLaunchTemplateVersionsCommand({ ...templateReference(nameOrId), Versions: ['$Latest'] }),
  );
  const version = answer.LaunchTemplateVersions?.[0];
  const { UserData, MetadataOptions } = version?.LaunchTemplateData ?? {};
  return {
    templateId: required(version?.LaunchTemplateId, {
      name: 'LaunchTemplateId',
      $metadata: answer.$metadata,
    }),
    number: required(version?.VersionNumber, { name: 'VersionNumber', $metadata: answer.$metadata }),
    userData: UserData,
    httpTokens: MetadataOptions?.HttpTokens,
    hopLimit: MetadataOptions?.HttpPutResponseHopLimit,
    metadataIsOff: MetadataOptions?.HttpEndpoint === 'disabled',
    otherMetadataOptions: {
      InstanceMetadataTags: MetadataOptions?.InstanceMetadataTags,
      HttpProtocolIpv6: MetadataOptions?.HttpProtocolIpv6,
    },
  };
}

/**
 * Makes a version of the source and these changes, and resolves with its number. Sent again with the same token it makes no second one.
 */
export async function createVersion(
  client: EC2Client,
  {
    nameOrId,
    source,
    data,
    clientToken,
  }: {
    readonly nameOrId: string;
    readonly source: number;
    readonly data: RequestLaunchTemplateData;
    readonly clientToken: string;
  },
): Promise<number> {
  const { LaunchTemplateVersion, $metadata } = await client.send(
    new CreateLaunchTemplateVersionCommand({
      ...templateReference(nameOrId),
      SourceVersion: String(source),
      LaunchTemplateData: data,
      ClientToken: clientToken,
      VersionDescription: 'drover user-data',
    }),
  );
  return required(LaunchTemplateVersion?.VersionNumber, { name: 'VersionNumber', $metadata });
}
