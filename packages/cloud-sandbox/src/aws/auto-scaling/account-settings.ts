import type {
  AccountSetting,
  DescribeAccountSettingsType,
  PutAccountSettingType,
} from '@aws-sdk/client-auto-scaling';
import { page, pageSize } from '../paging.ts';
import { autoScalingErrors } from './errors.ts';
import { checkOneOf, required } from './validation.ts';
import type { AutoScalingWorld } from './world.ts';

const names = ['launchBeforeTerminate'] as const;

/** What a new account has. https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-account-settings.html */
export const defaultAccountSettings = (): Map<string, string> =>
  new Map(names.map((name) => [name, 'disabled']));

/** Settings of the account in its region. */
export const accountSettingOperations = (world: AutoScalingWorld) => ({
  PutAccountSetting: (input: PutAccountSettingType): Record<string, never> => {
    const name = checkOneOf(required(input.Name, 'name'), names, 'name');
    const value = checkOneOf(required(input.Value, 'value'), ['enabled', 'disabled'], 'value');
    world.accountSettings.set(name, value);
    return {};
  },
  DescribeAccountSettings: (input: DescribeAccountSettingsType) => {
    const settings = [...world.accountSettings].filter(
      ([name]) => input.Name === undefined || input.Name === name,
    );
    const { items, nextToken } = page(settings, {
      nextToken: input.NextToken,
      size: pageSize(input.MaxRecords, { default: 50, maximum: 100 }),
      invalidToken: autoScalingErrors.invalidNextToken,
    });
    return { Settings: items.map(toSetting), NextToken: nextToken };
  },
});

const toSetting = ([Name, Value]: readonly [string, string]): AccountSetting => ({
  Name,
  Value,
  EnforcementType: 'none',
});
