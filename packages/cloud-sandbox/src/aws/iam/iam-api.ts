import type { GetInstanceProfileRequest } from '@aws-sdk/client-iam';
import { AwsError, type AwsService } from '../service.ts';
import type { SimulatedIam } from './iam.ts';

const operationsOf = ({ iam, accountId }: IamApiOptions) => ({
  GetInstanceProfile: ({ InstanceProfileName: name = '' }: GetInstanceProfileRequest) => {
    const role = iam.role(`arn:aws:iam::${accountId}:role/${name}`);
    if (role === undefined)
      throw new AwsError({
        code: 'NoSuchEntity',
        message: `Instance Profile ${name} cannot be found.`,
        statusCode: 404,
      });
    const created = { Path: '/', CreateDate: new Date(0) };
    return {
      InstanceProfile: {
        ...created,
        InstanceProfileName: name,
        InstanceProfileId: role.roleId.replace(/^AROA/, 'AIPA'),
        Arn: `arn:aws:iam::${accountId}:instance-profile/${name}`,
        Roles: [{ ...created, RoleName: name, RoleId: role.roleId, Arn: role.arn }],
      },
    };
  },
});

interface IamApiOptions {
  readonly iam: SimulatedIam;
  readonly accountId: string;
}

/** The API of IAM, as far as instance profiles can be read. The profile of each role has its name, as the console makes it. */
export interface IamApi extends AwsService {
  readonly operations: ReturnType<typeof operationsOf>;
}

export const createIamApi = (options: IamApiOptions): IamApi => ({
  signingName: 'iam',
  operations: operationsOf(options),
});
