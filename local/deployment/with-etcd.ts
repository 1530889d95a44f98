import type { FunctionWiring, Wiring } from './wiring.ts';

/** The deployment as the parameters `etcdDomain` and `etcdZoneId` would have it. */
export function withEtcd(wiring: Wiring, etcd: { readonly domain: string; readonly zoneId: string }): Wiring {
  const configured = (one: FunctionWiring): FunctionWiring => ({
    ...one,
    environment: Object.fromEntries(
      Object.entries(one.environment).map(([name, value]) => {
        if (name === 'DROVER_ETCD_DOMAIN') return [name, etcd.domain];
        return [name, name === 'DROVER_ETCD_ZONE_ID' ? etcd.zoneId : value];
      }),
    ),
  });
  return {
    ...wiring,
    functions: wiring.functions.map(configured),
    roles: wiring.roles.map((role) => ({
      ...role,
      policies: role.policies.map((policy) => ({
        ...policy,
        document: {
          ...policy.document,
          Statement: policy.document.Statement.map((one) => inZone(one, etcd.zoneId)),
        },
      })),
    })),
  };
}

/** What the template says of a zone that has no id. */
const noZone = /:hostedzone\/$/;

const inZone = (statement: Readonly<Record<string, unknown>>, zoneId: string) =>
  typeof statement['Resource'] === 'string' && noZone.test(statement['Resource'])
    ? { ...statement, Resource: `${statement['Resource']}${zoneId}` }
    : statement;
