import type { ServiceAdmin } from '@frontdesk/contracts';

type Categorised = Pick<ServiceAdmin, 'category'>;

interface Category<Service> {
  /** Null where no service has a category: there is nothing to stand above them. */
  heading: string | null;
  services: Service[];
}

/** Services by category, those without one last. Within a category their order stays. */
export function byCategory<Service extends Categorised>(services: readonly Service[]): Category<Service>[] {
  const groups = Map.groupBy(services, ({ category }) => category ?? null);
  const named = categoriesOf(services).map((heading) => ({ heading, services: groups.get(heading) ?? [] }));
  const others = groups.get(null);
  return others ? [...named, { heading: named.length > 0 ? 'Other' : null, services: others }] : named;
}

/** All that are in use, to be chosen again. */
export const categoriesOf = (services: readonly Categorised[]): string[] =>
  [...new Set(services.flatMap(({ category }) => category ?? []))].sort((a, b) => a.localeCompare(b));
