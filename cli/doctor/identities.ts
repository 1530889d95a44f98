import { type Api, createApi } from '../../shared/kubernetes/api.ts';
import { clusterConnections } from '../../shared/runtime/cluster.ts';
import type { Host } from '../../shared/runtime/host.ts';
import type { Need } from './rights-of-drover.ts';

/** The parameters of the kubeconfigs. They are the same where one kubeconfig serves every need. */
export interface KubeconfigParameters {
  readonly kubeconfigParameter: string;
  readonly readerKubeconfigParameter: string;
  readonly credentialsKubeconfigParameter: string;
  readonly certificatesKubeconfigParameter: string;
  readonly plannerKubeconfigParameter: string;
  readonly podHoldsAreOn: boolean;
  readonly rollerKubeconfigParameter: string;
  readonly rollsAreOn: boolean;
}

/** One of Drover's identities in the cluster, and what it is for. */
export interface ClusterIdentity {
  readonly parameter: string;
  readonly needs: readonly Need[];
  /** The API server, with this identity. */
  readonly api: Api;
}

/** The identities of a deployment: one for each kubeconfig. Nothing is read before the first call. */
export function identitiesOf(host: Host, parameters: KubeconfigParameters): readonly ClusterIdentity[] {
  const byNeed: Readonly<Partial<Record<Need, string>>> = {
    'node-leaving': parameters.kubeconfigParameter,
    reader: parameters.readerKubeconfigParameter,
    credentials: parameters.credentialsKubeconfigParameter,
    certificates: parameters.certificatesKubeconfigParameter,
    ...(parameters.podHoldsAreOn && { planner: parameters.plannerKubeconfigParameter }),
    ...(parameters.rollsAreOn && { roller: parameters.rollerKubeconfigParameter }),
  };
  const needs = Object.keys(byNeed) as readonly Need[];
  return [...new Set(Object.values(byNeed))].map((parameter) => {
    const environment = { ...host.environment, DROVER_KUBECONFIG_PARAMETER: parameter };
    const connections = clusterConnections({ ...host, environment });
    return {
      parameter,
      needs: needs.filter((need) => byNeed[need] === parameter),
      api: createApi({ connections, sendHttp: host.sendHttp }),
    };
  });
}
