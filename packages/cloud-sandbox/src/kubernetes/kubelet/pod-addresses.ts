/** Pod addresses of one cluster, one after the other. */
export function createPodAddresses(): () => string {
  let last = 0;
  return () => {
    last += 1;
    return `10.${200 + ((last >>> 16) & 31)}.${(last >>> 8) & 255}.${last & 255}`;
  };
}
