import type { KubeletsOptions } from '@drover/cloud-sandbox';
import { roleOf } from './role.ts';

type Configure = NonNullable<KubeletsOptions['configure']>;

/** The settings of an instance's Node, with the label of its role. */
export const nodeSettings =
  (configure: Configure = () => ({})): Configure =>
  (instance) => {
    const settings = configure(instance);
    if (settings === undefined) return undefined;
    return {
      ...settings,
      labels: { [`node-role.kubernetes.io/${roleOf(instance)}`]: '', ...settings.labels },
    };
  };
