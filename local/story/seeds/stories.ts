import { eksAuth } from './eks-auth.ts';
import { eksJoin } from './eks-join.ts';
import { kubecfn } from './kubecfn.ts';
import { openshiftAsg } from './openshift-asg.ts';
import { openshiftIam } from './openshift-iam.ts';
import type { SeedStory } from './step.ts';

/** A story for each document that Drover came from. */
export const seedStories: readonly SeedStory[] = [kubecfn, openshiftIam, openshiftAsg, eksJoin, eksAuth];
