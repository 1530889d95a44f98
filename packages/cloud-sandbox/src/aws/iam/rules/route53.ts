import { normalizeName } from '../../route53/names.ts';
import type { PolicyContext } from '../context.ts';
import { type Input, type Requirement, records, type ServiceRule, text } from './rule.ts';

const bare = (id = '*'): string => id.replace(/^\/?(?:hostedzone|change)\//, '');

const recordSetsOf = (input: Input): readonly { readonly action: string; readonly set: Input }[] => {
  const batch = input['ChangeBatch'];
  if (typeof batch !== 'object' || batch === null) return [];
  return records(batch as Input, 'Changes').map((change) => ({
    action: text(change, 'Action') ?? '',
    set: (change['ResourceRecordSet'] ?? {}) as Input,
  }));
};

/** "Specifying DNS record permissions": names in lower case and without the dot at their end. */
function batchContext(input: Input): PolicyContext {
  const changes = recordSetsOf(input);
  const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)];
  return {
    'route53:ChangeResourceRecordSetsNormalizedRecordNames': distinct(
      changes.map(({ set }) => normalizeName(text(set, 'Name') ?? '').replace(/\.$/, '')),
    ),
    'route53:ChangeResourceRecordSetsRecordTypes': distinct(
      changes.map(({ set }) => text(set, 'Type') ?? ''),
    ),
    'route53:ChangeResourceRecordSetsActions': distinct(changes.map(({ action }) => action)),
  };
}

const onEverything: ReadonlySet<string> = new Set([
  'CreateHostedZone',
  'ListHostedZones',
  'ListHostedZonesByName',
]);

/** Amazon Route 53: zones and changes have no account and no region in their ARNs; making and listing zones takes only `*`. */
export const route53Rule: ServiceRule = ({ operation, input }): readonly Requirement[] => {
  const action = `route53:${operation}`;
  if (onEverything.has(operation)) return [{ action, resource: '*' }];
  if (operation === 'GetChange')
    return [{ action, resource: `arn:aws:route53:::change/${bare(text(input, 'Id'))}` }];
  const zoneId = bare(text(input, 'HostedZoneId') ?? text(input, 'Id'));
  const context = operation === 'ChangeResourceRecordSets' ? batchContext(input) : {};
  return [{ action, resource: `arn:aws:route53:::hostedzone/${zoneId}`, context }];
};
