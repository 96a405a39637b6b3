import { type Health, healthy, progressing } from '../../model/health.ts';
import { arrayAt, type JsonObject, stringAt } from '../../model/json.ts';

/** A Service needs an address of its own only as LoadBalancer. */
export function serviceHealth(live: JsonObject): Health {
  return stringAt(live, 'spec', 'type') === 'LoadBalancer' ? addressHealth(live) : healthy;
}

/** An Ingress, or a Service of type LoadBalancer, is healthy once somebody has given it an address. */
export function addressHealth(live: JsonObject): Health {
  return arrayAt(live, 'status', 'loadBalancer', 'ingress').length > 0
    ? healthy
    : progressing('no address has been assigned yet');
}
