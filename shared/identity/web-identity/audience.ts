/** Of the tokens for a cluster, unless its flags say otherwise: a token for one cluster is none for another. */
export const audienceOf = (clusterName: string): string => `drover:${clusterName}`;
