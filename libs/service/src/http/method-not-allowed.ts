declare module 'fastify' {
  interface FastifyContextConfig {
    /** Passes on, or refuses, requests of every method: so it does not say which methods the path takes. */
    isCatchAll?: boolean;
  }
}

interface RouteMethods {
  /** Parameters begin with a colon. */
  url: string;
  method: string | string[];
}

interface RouteObserver {
  addHook(
    name: 'onRoute',
    hook: (route: RouteMethods & { config?: { isCatchAll?: boolean } }) => void,
  ): unknown;
}

interface Route {
  url: string;
  pattern: RegExp;
  methods: string[];
}

const isLiteral = (url: string) => !/[:*]/.test(url);

/**
 * Remembers every route, to tell an unknown path from a known path with a wrong method. A path that a route names literally belongs to
 * such routes alone: `/things/new` is no thing of `/things/:id`.
 * @param others routes of services behind this app
 */
export function trackAllowedMethods(app: RouteObserver, others: readonly RouteMethods[] = []) {
  const routes: Route[] = [];
  const literal = new Set<string>();
  const remember = ({ url, method }: RouteMethods) => {
    const source = url
      .split('/')
      .map((part) => (part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : RegExp.escape(part)))
      .join('/');
    if (isLiteral(url)) literal.add(url);
    routes.push({ url, pattern: new RegExp(`^${source}$`), methods: [method].flat() });
  };
  for (const route of others) remember(route);
  app.addHook('onRoute', (route) => {
    if (!route.config?.isCatchAll) remember(route);
  });
  return {
    allowedMethods(path: string): string[] {
      const ofPath = routes.filter(({ url, pattern }) =>
        literal.has(path) ? url === path : pattern.test(path),
      );
      return [...new Set(ofPath.flatMap(({ methods }) => methods))];
    },
    /** Whether the router has matched a route with parameters to a path that another route names literally. */
    isTaken: (path: string, routeUrl: string | undefined): boolean =>
      routeUrl !== undefined && routeUrl !== path && literal.has(path) && routeUrl.includes(':'),
  };
}
