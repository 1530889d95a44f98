import { type Change, type ResourceRecordSet, RRType } from '@aws-sdk/client-route-53';
import { constraint, route53Errors } from './errors.ts';
import type { StoredSet } from './model.ts';
import { normalizeName } from './names.ts';

const maximumTtl = 2_147_483_647;

/** A change as it was asked for, its set read. */
export interface ReadChange {
  readonly action: 'CREATE' | 'DELETE' | 'UPSERT';
  readonly set: StoredSet;
}

const actions: readonly string[] = ['CREATE', 'DELETE', 'UPSERT'] satisfies readonly ReadChange['action'][];
const types: readonly string[] = Object.values(RRType);

/** Throws InvalidInput where a change does not have the form that Route 53's schema asks for. */
export function readChange(change: Change, index: number): ReadChange {
  const at = `changeBatch.changes.${index + 1}.member`;
  const { Action: action = '', ResourceRecordSet: set } = change;
  if (!actions.includes(action))
    throw constraint(action, `${at}.action`, `satisfy enum value set: [${actions.join(', ')}]`);
  return { action: action as ReadChange['action'], set: readSet(set, { at, action }) };
}

function readSet(
  set: ResourceRecordSet | undefined,
  { at, action }: { readonly at: string; readonly action: string },
): StoredSet {
  const { Name = '', Type, TTL, ResourceRecords = [], AliasTarget, SetIdentifier, ...routing } = set ?? {};
  const member = `${at}.resourceRecordSet`;
  if (Type === undefined || !types.includes(Type))
    throw constraint(Type, `${member}.type`, `satisfy enum value set: [${types.join(', ')}]`);
  if (TTL !== undefined && !(Number.isInteger(TTL) && TTL >= 0))
    throw constraint(TTL, `${member}.tTL`, 'have value greater than or equal to 0');
  if (TTL !== undefined && TTL > maximumTtl)
    throw constraint(TTL, `${member}.tTL`, `have value less than or equal to ${maximumTtl}`);
  if (Name.length > 1024) throw constraint(Name, `${member}.name`, 'have length less than or equal to 1024');
  const values = ResourceRecords.map(({ Value = '' }) => Value);
  checkContent({ action, Name, Type, SetIdentifier }, { TTL, values, alias: AliasTarget, routing });
  return {
    name: normalizeName(Name),
    type: Type,
    values,
    routing,
    ...(SetIdentifier !== undefined && { setIdentifier: SetIdentifier }),
    ...(TTL !== undefined && { ttlSeconds: TTL }),
    ...(AliasTarget && { alias: AliasTarget }),
  };
}

function checkContent(
  named: {
    readonly action: string;
    readonly Name: string;
    readonly Type: string;
    readonly SetIdentifier: string | undefined;
  },
  content: {
    readonly TTL: number | undefined;
    readonly values: readonly string[];
    readonly alias: unknown;
    readonly routing: Partial<ResourceRecordSet>;
  },
): void {
  const { TTL, values, alias, routing } = content;
  const hasValues = TTL !== undefined && values.length > 0;
  const kinds = [alias !== undefined, hasValues, routing.TrafficPolicyInstanceId !== undefined];
  const isHalf = !hasValues && (TTL !== undefined || values.length > 0);
  const count = kinds.filter(Boolean).length;
  if (count === 1 && !isHalf) return;
  const found = count > 1 || (count === 1 && isHalf) ? 'more than one' : 'none';
  const which = `[Action=${named.action}, Name=${named.Name}, Type=${named.Type}, SetIdentifier=${named.SetIdentifier ?? 'null'}]`;
  throw route53Errors.invalidInput(
    `Invalid request: Expected exactly one of [AliasTarget, all of [TTL, and ResourceRecords], or TrafficPolicyInstanceId], but found ${found} in Change with ${which}`,
  );
}

/** As Route 53 lists it. */
export const presentSet = (set: StoredSet): ResourceRecordSet => ({
  Name: set.name,
  Type: set.type,
  ...(set.setIdentifier !== undefined && { SetIdentifier: set.setIdentifier }),
  ...set.routing,
  ...(set.ttlSeconds !== undefined && { TTL: set.ttlSeconds }),
  ...(set.values.length > 0 && { ResourceRecords: set.values.map((Value) => ({ Value })) }),
  ...(set.alias && { AliasTarget: set.alias }),
});
