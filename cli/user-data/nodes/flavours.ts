import type { Flavour } from './flavour.ts';
import { bottlerocket } from './flavours/bottlerocket.ts';
import { eksAl2 } from './flavours/eks-al2.ts';
import { eksAl2023 } from './flavours/eks-al2023.ts';
import { fedoraCoreos, flatcar } from './flavours/ignition.ts';
import { kubeadm } from './flavours/kubeadm.ts';
import { openshift311 } from './flavours/openshift-3.11.ts';
import { script } from './flavours/script.ts';
import type { FlavourName } from './names.ts';
import type { NodeSettings } from './settings.ts';

/** Every kind of node that there is user data for, by its name on the command line. */
export const flavours: Readonly<Record<FlavourName, Flavour>> = {
  script,
  kubeadm,
  'eks-al2023': eksAl2023,
  'eks-al2': eksAl2,
  bottlerocket,
  flatcar,
  'fedora-coreos': fedoraCoreos,
  'openshift-3.11': openshift311,
};

/** The flavour for the role of these settings. Pure. */
export const flavourFor = (name: FlavourName, { role }: Pick<NodeSettings, 'role'>): Flavour =>
  (role === 'control-plane' ? flavours[name].controlPlane : undefined) ?? flavours[name];
