import LocalServer
import Values

/// A small shop: products, and orders that are delivered while a client waits.
let shopRoutes: [Route] = [
  Route("GET", "/api/products", "Products, by ?category=; ?limit= (3) at a time from ?cursor=") { listProducts($0) },
  Route("GET", "/api/products/{sku}", "One product") { call in
    Product.all.first { $0.sku == call["sku"] }.map { .json($0.value) }
      ?? .problem(404, "there is no product \"\(call["sku"])\"")
  },
  Route("POST", "/api/orders", "Orders {customer, items: [{sku, quantity}]}; needs a token") { call in
    authorized(call) { addOrder(call) }
  },
  Route("GET", "/api/orders/{id}", "One order, shipped the third time it is read; needs a token") { call in
    authorized(call) {
      withOrder(call) { orders, index in
        orders[index].readCount += 1
        return .json(orders[index].value)
      }
    }
  },
  Route("DELETE", "/api/orders/{id}", "Cancels an order; needs a token") { call in
    authorized(call) {
      withOrder(call) { orders, index in
        orders.remove(at: index)
        return ServerResponse(status: 204)
      }
    }
  },
]

private struct Product {
  let sku: String
  let name: String
  let category: String
  let cents: Int

  var value: Value {
    .object([
      ("sku", .text(sku)), ("name", .text(name)), ("category", .text(category)), ("price", price(cents: cents)),
    ])
  }

  static let all = [
    Product(sku: "C-1", name: "Chart of the bay", category: "charts", cents: 10_50),
    Product(sku: "C-2", name: "Chart of the strait", category: "charts", cents: 24_00),
    Product(sku: "C-3", name: "Chart of the archipelago", category: "charts", cents: 31_90),
    Product(sku: "R-1", name: "Rope, 10 m", category: "rigging", cents: 18_25),
    Product(sku: "R-2", name: "Shackle", category: "rigging", cents: 4_75),
    Product(sku: "L-1", name: "Lantern", category: "lights", cents: 39_00),
    Product(sku: "L-2", name: "Flare", category: "lights", cents: 12_00),
  ]
}

/// An order of the demo shop.
struct Order: Sendable {
  fileprivate let id: Int
  fileprivate let customer: String
  fileprivate let items: [(sku: String, quantity: Int)]
  fileprivate let cents: Int
  /// The number of times that it was read.
  fileprivate var readCount = 0

  fileprivate var value: Value {
    .object([
      ("id", .integer(id)), ("customer", .text(customer)),
      ("state", .text(state)),
      (
        "items",
        .list(items.map { .object([("sku", .text($0.sku)), ("quantity", .integer($0.quantity))]) })
      ),
      ("total", price(cents: cents)),
    ])
  }

  private var state: String {
    switch readCount {
    case 0...1: "received"
    case 2: "packed"
    default: "shipped"
    }
  }
}

private let orderLimit = 10_000
private let quantities = 1...100

private func price(cents: Int) -> Value {
  let rest = cents % 100
  return .number(Number(lexeme: "\(cents / 100).\(rest < 10 ? "0" : "")\(rest)"))
}

private func listProducts(_ call: RouteCall) -> ServerResponse {
  let category = call.request.parameter("category")
  let products = Product.all.filter { category == nil || $0.category == category }
  guard let limit = Int(call.request.parameter("limit") ?? "3"), (1...100).contains(limit) else {
    return .problem(400, "limit is a number from 1 to 100")
  }
  var start = 0
  if let cursor = call.request.parameter("cursor") {
    guard let index = products.firstIndex(where: { $0.sku == cursor }) else {
      return .problem(400, "the cursor is not one of this list")
    }
    start = index
  }
  let rest = products[start...]
  return .json(
    .object([
      ("items", .list(rest.prefix(limit).map(\.value))),
      ("next", rest.dropFirst(limit).first.map { .text($0.sku) } ?? .null),
    ]))
}

private func addOrder(_ call: RouteCall) -> ServerResponse {
  let sent: Mapping = if case .mapping(let sent)? = call.request.jsonBody { sent } else { Mapping() }
  guard case .text(let customer)? = sent["customer"], (1...100).contains(customer.string.count) else {
    return .problem(422, "customer is a text of 1 to 100 characters")
  }
  guard case .list(let entries)? = sent["items"], (1...20).contains(entries.count) else {
    return .problem(422, "items is a list of 1 to 20 mappings")
  }
  var items: [(sku: String, quantity: Int)] = []
  var cents = 0
  for entry in entries {
    guard case .mapping(let item) = entry, case .text(let sku)? = item["sku"],
      let product = Product.all.first(where: { $0.sku == sku.string })
    else { return .problem(422, "each item has the sku of a product") }
    guard case .number(let number)? = item["quantity"], let quantity = number.int,
      quantities.contains(quantity)
    else { return .problem(422, "quantity is a number from 1 to \(quantities.upperBound)") }
    items.append((product.sku, quantity))
    cents += product.cents * quantity
  }
  return call.state.withContents { contents in
    guard contents.orders.count < orderLimit else { return .problem(507, "there are at most \(orderLimit) orders") }
    contents.lastOrderID += 1
    let order = Order(id: contents.lastOrderID, customer: customer.string, items: items, cents: cents)
    contents.orders.append(order)
    return .json(order.value, status: 201).with("Location", "/api/orders/\(order.id)")
  }
}

/// Responds with the order that the path names.
private func withOrder(_ call: RouteCall, _ body: (inout [Order], Int) -> ServerResponse) -> ServerResponse {
  call.state.withContents { contents in
    guard let id = Int(call["id"]), let index = contents.orders.firstIndex(where: { $0.id == id }) else {
      return .problem(404, "there is no order \"\(call["id"])\"")
    }
    return body(&contents.orders, index)
  }
}
